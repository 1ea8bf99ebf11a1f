package main

import (
	"github.com/spf13/cobra"

	"codemode/ops"
)

// operate carries out the one operation of a command and shows its receipt.
func (p *program) operate(cmd *cobra.Command, f *flags, req ops.Request) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	h, err := p.openHost(f, task{source: string(req.Operation), clocked: true})
	if err != nil {
		return err
	}
	defer h.close()
	receipt := h.session.Do(h.ctx, req)
	status := statusOf(h.ctx, receipt)
	h.end(p, h.journal.single(receipt))
	if err := p.showReceipt(f, receipt); err != nil {
		return err
	}
	return withStatus(status)
}

// showReceipt prints the result of a single operation.
func (p *program) showReceipt(f *flags, r ops.Receipt) error {
	switch {
	case f.json:
		return p.screen.document(r)
	case r.OK && f.quiet:
	case r.OK:
		p.screen.receipt(p.screen.stdout(), r, "", p.screen.outTTY)
	default:
		p.screen.receipt(p.screen.stderr(), r, "", p.screen.errTTY)
	}
	return nil
}
