package bindings

import (
	"fmt"
	"sync"
	"testing"
)

func TestStore(t *testing.T) {
	var s Store
	if _, ok := s.Get("a"); ok {
		t.Error("an empty store has a value")
	}
	value := []byte(`1`)
	if err := s.Set("a", value); err != nil {
		t.Fatal(err)
	}
	value[0] = '2'
	got, _ := s.Get("a")
	got[0] = '3'
	if got, ok := s.Get("a"); !ok || string(got) != "1" {
		t.Errorf("got %q, %v: the store shares memory", got, ok)
	}
}

func TestStoreIsBounded(t *testing.T) {
	var s Store
	half := make([]byte, MaxStoreBytes/2)
	if s.Set("a", half) != nil || s.Set("b", half[:10]) != nil {
		t.Fatal("values that fit were refused")
	}
	if s.Set("b", half) == nil {
		t.Error("the store took more bytes than it may")
	}
	if got, _ := s.Get("b"); len(got) != 10 {
		t.Error("a refused value took the place of the old one")
	}
	if s.Set("a", nil) != nil || s.Set("b", half) != nil {
		t.Error("what was replaced still counts")
	}
	s = Store{}
	for i := range MaxStoreKeys {
		if err := s.Set(fmt.Sprint(i), nil); err != nil {
			t.Fatal(err)
		}
	}
	if s.Set("one more", nil) == nil {
		t.Error("the store took more keys than it may")
	}
	if s.Set("1", []byte("2")) != nil {
		t.Error("a full store must still take another value for a key")
	}
}

func TestStoreServesSeveralRunsAtOnce(t *testing.T) {
	var s Store
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for range 100 {
				s.Set(fmt.Sprint(i%3), []byte("1"))
				s.Get(fmt.Sprint(i % 2))
			}
		})
	}
	group.Wait()
}
