package main

import (
	"bytes"
	"errors"
	"fmt"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	canvas "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

var (
	green = color.RGBA{R: 0x4c, G: 0x9f, B: 0x70, A: 0xff}
	amber = color.RGBA{R: 0xe0, G: 0x9f, B: 0x3e, A: 0xff}
	dark  = color.RGBA{R: 0x22, G: 0x22, B: 0x22, A: 0xff}
	faint = color.RGBA{R: 0xdd, G: 0xdd, B: 0xdd, A: 0xff}
)

const (
	width     = 11 * vg.Inch
	rowHeight = vg.Length(18)
	around    = vg.Length(110) // title, axis and margins
	margin    = vg.Length(12)
)

// draw makes the picture: a bar for each row, from 1 × to the right where ours
// is faster and to the left where it is slower, on a logarithmic axis.
func draw(r report) ([]byte, error) {
	list := r.bars()
	if len(list) == 0 {
		return nil, errors.New("no row with a target was measured")
	}
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
	p := plot.New()
	p.Title.Text = fmt.Sprintf("How many times as fast as its peer codemode is (%.10s, %d cores of an %s)\n"+
		"thick line: the target; green: reached; amber: missed; thin line: quartiles", r.Date, r.Machine.Cores, r.Machine.CPU)
	p.Title.Padding = 10
	p.X.Scale = plot.LogScale{}
	p.X.Min, p.X.Max = extent(list)
	p.X.Tick.Marker = plot.TickerFunc(ticks)
	p.X.Label.Text = "peer / codemode, logarithmic; more is better"
	p.Y.Min, p.Y.Max = -0.7, float64(len(list))-0.3
	p.Y.LineStyle.Width = 0
	p.Y.Tick.Length = 0
	var names []plot.Tick
	for i, b := range list {
		names = append(names, plot.Tick{Value: row(list, i), Label: b.label})
	}
	p.Y.Tick.Marker = plot.ConstantTicks(names)
	grid := plotter.NewGrid()
	grid.Horizontal.Width = 0
	grid.Vertical.Color = faint
	p.Add(grid, bars(list))

	c := vgsvg.New(width, vg.Length(len(list))*rowHeight+around)
	p.Draw(canvas.Crop(canvas.New(c), margin, -margin, margin, -margin))
	var text bytes.Buffer
	if _, err := c.WriteTo(&text); err != nil {
		return nil, err
	}
	// Arial and Helvetica are as wide, where the font itself is not installed.
	const name = "font-family:Liberation Sans"
	return bytes.ReplaceAll(text.Bytes(), []byte(name), []byte(name+",Arial,Helvetica,sans-serif")), nil
}

// row is where a bar lies: the first is at the top.
func row(list []bar, i int) float64 { return float64(len(list) - 1 - i) }

// extent is how far the axis goes, with room for the figures beside the bars.
func extent(list []bar) (low, high float64) {
	low, high = 1, 1
	for _, b := range list {
		low = min(low, b.times.Q1, b.goal)
		high = max(high, b.times.Q3, b.goal)
	}
	return min(0.5, low/1.2), high * 4
}

// ticks are the powers of ten, and unlabelled the double and the fivefold of each.
func ticks(low, high float64) (list []plot.Tick) {
	for power := math.Pow(10, math.Floor(math.Log10(low))); power <= high; power *= 10 {
		for _, digit := range []float64{1, 2, 5} {
			if v := power * digit; v >= low && v <= high {
				tick := plot.Tick{Value: v}
				if digit == 1 {
					tick.Label = short(v)
				}
				list = append(list, tick)
			}
		}
	}
	return list
}

// bars draws itself into a plot.
type bars []bar

// Plot implements [plot.Plotter].
func (list bars) Plot(c canvas.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	thin := canvas.LineStyle{Color: dark, Width: vg.Points(0.7)}
	thick := canvas.LineStyle{Color: dark, Width: vg.Points(2)}
	figure := p.X.Tick.Label
	figure.XAlign, figure.YAlign = canvas.XLeft, canvas.YCenter
	for i, b := range list {
		middle := y(row(list, i))
		from, to := x(1), x(b.times.Median)
		half := rowHeight * 0.33
		c.FillPolygon(colour(b.ok), []vg.Point{{X: from, Y: middle - half}, {X: to, Y: middle - half}, {X: to, Y: middle + half}, {X: from, Y: middle + half}})
		c.StrokeLine2(thin, x(b.times.Q1), middle, x(b.times.Q3), middle)
		for _, end := range []vg.Length{x(b.times.Q1), x(b.times.Q3)} {
			c.StrokeLine2(thin, end, middle-half/2, end, middle+half/2)
		}
		c.StrokeLine2(thick, x(b.goal), middle-half*1.3, x(b.goal), middle+half*1.3)
		right := max(x(b.times.Q3), x(b.goal), from)
		c.FillText(figure, vg.Point{X: right + 5, Y: middle}, short(b.times.Median)+" ×")
	}
	c.StrokeLine2(thin, x(1), c.Min.Y, x(1), c.Max.Y)
}

func colour(ok bool) color.Color {
	if ok {
		return green
	}
	return amber
}

// short writes a number with two or three digits that count.
func short(v float64) string {
	if v >= 100 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}
