// Package policy is the rules of what may be done: protected paths, what a
// removal must be approved for, and what before-delete hooks are told and may
// answer. It is pure: facts go in, verdicts come out. It reads no disk, no
// clock and no environment.
package policy
