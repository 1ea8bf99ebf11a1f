package runtime

import (
	"math/big"
	"reflect"

	"github.com/dop251/goja"
)

// A kind says what an object is, whatever its prototype pretends. Finding it out
// runs nothing of the script.
type kind string

const (
	kindObject      kind = "Object"
	kindArray       kind = "Array"
	kindProxy       kind = "Proxy"
	kindFunction    kind = "Function"
	kindMap         kind = "Map"
	kindSet         kind = "Set"
	kindPromise     kind = "Promise"
	kindArrayBuffer kind = "ArrayBuffer"
	kindTypedArray  kind = "typed array"
	kindDate        kind = "Date"
	kindRegExp      kind = "RegExp"
	kindError       kind = "Error"
	kindArguments   kind = "arguments"
	kindString      kind = "String"
	kindNumber      kind = "Number"
	kindBoolean     kind = "Boolean"
	kindSymbol      kind = "Symbol"
	kindBigInt      kind = "BigInt"
)

var (
	proxyType       = reflect.TypeFor[goja.Proxy]()
	promiseType     = reflect.TypeFor[*goja.Promise]()
	arrayBufferType = reflect.TypeFor[goja.ArrayBuffer]()
	mapType         = reflect.TypeFor[[][2]any]()
	setType         = reflect.TypeFor[[]any]()
	bigIntType      = reflect.TypeFor[*big.Int]()
	classType       = reflect.TypeFor[func(goja.ConstructorCall) *goja.Object]()
	stringType      = reflect.TypeFor[string]()
)

func isProxy(o *goja.Object) bool { return o.ExportType() == proxyType }

func kindOf(o *goja.Object) kind {
	exported := o.ExportType()
	switch exported { // before the class, which a revoked Proxy refuses to tell
	case proxyType:
		return kindProxy
	case promiseType:
		return kindPromise
	case arrayBufferType:
		return kindArrayBuffer
	case mapType:
		return kindMap
	case bigIntType:
		return kindBigInt
	}
	if exported.Kind() == reflect.Func {
		return kindFunction
	}
	switch class := o.ClassName(); class {
	case "Object":
	case "Arguments":
		return kindArguments
	default:
		return kind(class)
	}
	switch {
	case exported == setType:
		return kindSet
	case exported == stringType:
		return kindSymbol
	case exported.Kind() == reflect.Slice:
		return kindTypedArray
	}
	return kindObject
}

// plainKind is kindOf for what counts as plain data: it also tells apart, by
// their prototypes, built-in objects without data of their own.
func (e *engine) plainKind(o *goja.Object) kind {
	k := kindOf(o)
	if k != kindObject {
		return k
	}
	if p := o.Prototype(); p == nil || p == e.objectPrototype {
		return k
	}
	if _, tag := e.lineage(o); builtinTags[tag] {
		return kind(tag)
	}
	return k
}

var builtinTags = map[string]bool{
	"WeakMap": true, "WeakSet": true, "WeakRef": true, "DataView": true, "Generator": true,
	"Array Iterator": true, "Map Iterator": true, "Set Iterator": true, "String Iterator": true, "RegExp String Iterator": true,
}

// typedLength is the length of a typed array.
func typedLength(o *goja.Object) int { return reflect.ValueOf(o.Export()).Len() }
