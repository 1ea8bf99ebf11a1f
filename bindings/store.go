package bindings

import (
	"bytes"
	"fmt"
	"sync"
)

// Limits of a [Store].
const (
	MaxStoreKeys  = 10_000
	MaxStoreBytes = 32 << 20 // keys and values together
)

// Store holds what scripts keep with store(key, value). It can serve several
// runs, also at once. The zero value is empty and ready.
type Store struct {
	mu     sync.Mutex
	values map[string][]byte
	size   int
}

// Set keeps a JSON value under key. It fails when the store would grow beyond
// its limits; the old value then stays.
func (s *Store) Set(key string, value []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, exists := s.values[key]
	size := s.size + len(value) - len(old)
	if !exists {
		size += len(key)
		if len(s.values) >= MaxStoreKeys {
			return fmt.Errorf("the store is full: it holds %d keys", MaxStoreKeys)
		}
	}
	if size > MaxStoreBytes {
		return fmt.Errorf("the store is full: with this value it would hold more than %d bytes", MaxStoreBytes)
	}
	if s.values == nil {
		s.values = map[string][]byte{}
	}
	s.values[key] = bytes.Clone(value)
	s.size = size
	return nil
}

// Get returns the JSON value under key.
func (s *Store) Get(key string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	value, ok := s.values[key]
	return bytes.Clone(value), ok
}
