package ops

import (
	"encoding/base64"
	"unicode/utf8"

	"codemode/ops/plain"
	"codemode/ops/textedit"
)

// decodeWrite reads what write takes besides a path.
func decodeWrite(f *fields, req *Request) {
	req.Overwrite, req.ReadFirst, req.ParentsExist = OverwriteNothing, true, true
	text, isText := f.content("text")
	encoded, isBytes := f.content("bytes")
	switch {
	case isText == isBytes:
		f.fail("write needs either text or bytes (base64)")
	case isText && !utf8.ValidString(text):
		f.fail("text is not valid Unicode; pass bytes (base64) for anything else")
	case isText:
		req.Content = []byte(text)
	default:
		var err error
		if req.Content, err = base64.StdEncoding.DecodeString(encoded); err != nil {
			f.fail("bytes is not base64: %v", err)
		}
	}
	if overwrite, _ := f.boolean("overwrite", lenient); overwrite {
		req.Overwrite = OverwriteAny
	}
	if create, _ := f.boolean("create_dirs", lenient); create {
		req.ParentsExist = false
	}
	if unread, _ := f.boolean("unread", lenient); unread {
		req.ReadFirst = false
	}
	if req.Append, _ = f.boolean("append", lenient); req.Append {
		req.ReadFirst = false
	}
}

// content is a string that may be empty.
func (f *fields) content(name string) (text string, given bool) {
	v, given := f.take(name)
	if !given {
		return "", false
	}
	text, ok := v.(string)
	if !ok {
		f.fail("%s must be a string, got %s", name, plain.KindOf(v))
	}
	return text, true
}

// decodeEdits reads the list of edits.
func decodeEdits(f *fields) []textedit.Edit {
	v, given := f.take("edits")
	list, ok := v.([]any)
	if !given || !ok {
		f.fail("edit needs edits, an array such as [{find: \"a\", replace: \"b\"}]")
		return nil
	}
	var edits []textedit.Edit
	for i, item := range list {
		object, ok := item.(*plain.Object)
		if !ok {
			f.fail("edit %d must be an object such as {find: \"a\", replace: \"b\"}, got %s", i+1, plain.KindOf(item))
			return nil
		}
		e := fieldsIn("an edit", object)
		var edit textedit.Edit
		edit.Find, _ = e.content("find")
		edit.Range = e.textRange("range")
		edit.Replace, ok = e.content("replace")
		if !ok {
			e.fail("an edit needs replace, a string")
		}
		edit.All, _ = e.boolean("all", lenient)
		if err := e.done(); err != nil {
			f.fail("edit %d: %s", i+1, err.Error())
			return nil
		}
		edits = append(edits, edit)
	}
	return edits
}

// textRange reads [start, end] or {start, end}.
func (f *fields) textRange(name string) *textedit.Range {
	v, given := f.take(name)
	if !given {
		return nil
	}
	var ends []any
	switch v := v.(type) {
	case []any:
		ends = v
	case *plain.Object:
		start, _ := v.Get("start")
		end, _ := v.Get("end")
		if len(v.Members) == 2 {
			ends = []any{start, end}
		}
	}
	if len(ends) == 2 {
		start, startOK := position(ends[0])
		end, endOK := position(ends[1])
		if startOK && endOK {
			return &textedit.Range{Start: start, End: end}
		}
	}
	f.fail("%s must be {start, end}, each an index into the text or {line, column}, which count from 1", name)
	return nil
}

// position reads an index, or a line and a column.
func position(v any) (textedit.Position, bool) {
	whole := func(v any, low int64) (int, bool) {
		n, ok := v.(plain.Number)
		i, exact := n.Int64()
		return int(i), ok && exact && i >= low && i <= 1<<31
	}
	object, ok := v.(*plain.Object)
	if !ok {
		offset, ok := whole(v, 0)
		return textedit.Position{Offset: offset}, ok
	}
	l, _ := object.Get("line")
	c, _ := object.Get("column")
	line, lineOK := whole(l, 1)
	column, columnOK := whole(c, 1)
	return textedit.Position{Line: line, Column: column}, lineOK && columnOK && len(object.Members) == 2
}
