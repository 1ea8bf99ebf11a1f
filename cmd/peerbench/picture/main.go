// Command picture draws what peerbench has measured: picture REPORT.json FILE.svg
//
// It is a program of its own so that the plotting library is in none of the
// processes that peerbench measures.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: picture REPORT.json FILE.svg")
		os.Exit(2)
	}
	if err := command(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

func command(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var r report
	if err := json.Unmarshal(text, &r); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	picture, err := draw(r)
	if err != nil {
		return err
	}
	return os.WriteFile(to, picture, 0o644)
}

// A report is what the picture needs of the file that peerbench --json writes.
type report struct {
	Date    string `json:"date"`
	Machine struct {
		CPU   string `json:"cpu"`
		Cores int    `json:"cores"`
	} `json:"machine"`
	Benches []struct {
		Name string `json:"name"`
		Rows []struct {
			Ours    string  `json:"ours"`
			Peer    string  `json:"peer"`
			Times   *spread `json:"times"`
			Goal    float64 `json:"goal"`
			Verdict string  `json:"verdict"`
		} `json:"rows"`
	} `json:"benches"`
}

type spread struct {
	Median float64 `json:"median"`
	Q1     float64 `json:"q1"`
	Q3     float64 `json:"q3"`
}

// A bar is a row that says how many times as fast ours is to be.
type bar struct {
	label string
	times spread
	goal  float64
	ok    bool
}

// bars are the rows that have a target and were measured, in their order.
func (r report) bars() (list []bar) {
	for _, b := range r.Benches {
		for _, row := range b.Rows {
			if row.Goal <= 0 || row.Times == nil || row.Times.Q1 <= 0 {
				continue
			}
			name := b.Name
			if row.Ours != "codemode" {
				name += " (" + row.Ours + ")"
			}
			list = append(list, bar{label: name + " / " + row.Peer, times: *row.Times, goal: row.Goal, ok: row.Verdict == "ok"})
		}
	}
	return list
}
