package runtime

import (
	"crypto/sha256"
	"sync"
)

// compiled keeps what was compiled last, for hosts that run the same script
// again and again, as a hook is run. A unit is never changed and holds nothing
// of a run.
var compiled = unitCache{units: map[[sha256.Size]byte]*unit{}}

const (
	maxUnits      = 64
	maxUnitSource = 64 << 10 // longer scripts are not kept
)

type unitCache struct {
	mu    sync.Mutex
	units map[[sha256.Size]byte]*unit
	order [][sha256.Size]byte // oldest first
}

func unitKey(name, source string) [sha256.Size]byte {
	return sha256.Sum256([]byte(name + "\x00" + source))
}

func (c *unitCache) get(name, source string) *unit {
	if len(source) > maxUnitSource {
		return nil
	}
	key := unitKey(name, source)
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.units[key]
}

func (c *unitCache) put(name, source string, u *unit) {
	if len(source) > maxUnitSource {
		return
	}
	key := unitKey(name, source)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.units[key] != nil {
		return
	}
	if len(c.order) == maxUnits {
		delete(c.units, c.order[0])
		c.order = append(c.order[:0], c.order[1:]...)
	}
	c.units[key] = u
	c.order = append(c.order, key)
}
