package main

import "time"

// A report is what one run of the command found: the table and the JSON file
// are two ways of looking at it, and the picture is drawn from the second.
type report struct {
	Date    time.Time         `json:"date"`
	Machine machine           `json:"machine"`
	Peers   map[string]string `json:"peers"` // versions, or why one is missing
	Rounds  int               `json:"rounds"`
	Scale   float64           `json:"scale"` // how much of the usual work was done
	Busy    float64           `json:"busy"`  // how much of the machine others used before a bench, at worst
	Benches []result          `json:"benches"`
}

// A result is what a bench came to.
type result struct {
	Name    string       `json:"name"`
	Unit    unit         `json:"unit"`
	Missing string       `json:"missing,omitempty"` // why it could not be run here
	Sides   []sideResult `json:"sides"`
	Rows    []row        `json:"rows"`

	bench bench
}

type sideResult struct {
	Name    string    `json:"name"`
	Does    string    `json:"does"`
	Ours    bool      `json:"ours"`
	Samples []float64 `json:"samples,omitempty"` // one a round
	Spread  *spread   `json:"spread,omitempty"`
	Problem string    `json:"problem,omitempty"` // why there are no samples
}

// A row compares two sides. Times is how many times the peer takes what we
// take, from samples of the same round; it is nil where one of them is missing.
type row struct {
	Ours    string  `json:"ours"`
	Peer    string  `json:"peer,omitempty"`
	Times   *spread `json:"times,omitempty"`
	Target  string  `json:"target,omitempty"`
	Goal    float64 `json:"goal,omitempty"` // the target where it is one of times
	Verdict verdict `json:"verdict,omitempty"`
}

type verdict string

const (
	reached verdict = "ok"
	missed  verdict = "miss"
)

// conclude computes the spreads and the rows.
func (r *result) conclude() {
	for i := range r.Sides {
		if s := &r.Sides[i]; len(s.Samples) > 0 {
			spread := spreadOf(s.Samples)
			s.Spread = &spread
		}
	}
	r.Rows = nil
	for _, p := range r.bench.pairs {
		r.Rows = append(r.Rows, r.compare(p))
	}
}

func (r *result) compare(p pair) row {
	row := row{Ours: p.ours, Peer: p.peer}
	ours, peer := r.side(p.ours), r.side(p.peer)
	judge := func(ok bool) {
		if row.Verdict = missed; ok {
			row.Verdict = reached
		}
	}
	if ours.Spread != nil && peer.Spread != nil {
		times := spreadOf(paired(peer.Samples, ours.Samples))
		row.Times = &times
	}
	if p.level {
		p.times = level
	}
	switch {
	case p.times > 0:
		row.Goal, row.Target = p.times, short(p.times)+" ×"
		if p.level {
			row.Target = "level"
		}
		if row.Times != nil {
			judge(row.Times.Median >= p.times)
		}
	case p.within > 0:
		row.Target = short(p.within) + " " + string(r.Unit)
		if ours.Spread != nil {
			judge(ours.Spread.Median <= p.within)
		}
	}
	return row
}

// side finds a side by its name; none has the name "".
func (r *result) side(name string) sideResult {
	for _, s := range r.Sides {
		if s.Name == name {
			return s
		}
	}
	return sideResult{}
}

// failed are our own sides that gave no result.
func (r *report) failed() []string {
	var list []string
	for _, b := range r.Benches {
		for _, s := range b.Sides {
			if b.Missing == "" && s.Ours && s.Problem != "" {
				list = append(list, b.Name+", "+s.Name+": "+s.Problem)
			}
		}
	}
	return list
}
