package worker

import (
	"encoding/binary"
	"errors"
)

// The first thing that a child says is its hello: that it is one, of this
// version, and which protections it has put in force.
const (
	helloText = "cmw1"
	helloSize = len(helloText) + 4
)

var errHello = errors.New("the child is not one of this program's")

func appendHello(dst []byte, inForce protections) []byte {
	return binary.LittleEndian.AppendUint32(append(dst, helloText...), uint32(inForce))
}

func readHello(hello []byte) (protections, error) {
	if len(hello) != helloSize || string(hello[:len(helloText)]) != helloText {
		return 0, errHello
	}
	return protections(binary.LittleEndian.Uint32(hello[len(helloText):])), nil
}
