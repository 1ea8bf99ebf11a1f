package runtime_test

import (
	"encoding/json"
	"testing"
)

// TestJSONErrors holds that JSON.parse says of bad JSON what Node.js 26 says.
func TestJSONErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                     "Unexpected end of JSON input",
		"{":                                    "Expected property name or '}' in JSON at position 1 (line 1 column 2)",
		"{'a':1}":                              "Expected property name or '}' in JSON at position 1 (line 1 column 2)",
		`{"a":1,}`:                             "Expected double-quoted property name in JSON at position 7 (line 1 column 8)",
		`{"a" 1}`:                              "Expected ':' after property name in JSON at position 5 (line 1 column 6)",
		`{"a":1 "b":2}`:                        "Expected ',' or '}' after property value in JSON at position 7 (line 1 column 8)",
		"[1 2]":                                "Expected ',' or ']' after array element in JSON at position 3 (line 1 column 4)",
		"[1,]":                                 `Unexpected token ']', "[1,]" is not valid JSON`,
		"undefined":                            `"undefined" is not valid JSON`,
		"[object Object]":                      `"[object Object]" is not valid JSON`,
		"01":                                   "Unexpected number in JSON at position 1 (line 1 column 2)",
		`"abc`:                                 "Unterminated string in JSON at position 4 (line 1 column 5)",
		"\"a\nb\"":                             "Bad control character in string literal in JSON at position 2 (line 1 column 3)",
		`"\x"`:                                 "Bad escaped character in JSON at position 2 (line 1 column 3)",
		`"\u12"`:                               "Bad Unicode escape in JSON at position 5 (line 1 column 6)",
		"-":                                    "No number after minus sign in JSON at position 1 (line 1 column 2)",
		"1.":                                   "Unterminated fractional number in JSON at position 2 (line 1 column 3)",
		"1e+":                                  "Exponent part is missing a number in JSON at position 3 (line 1 column 4)",
		"{\"a\":1}\n{}":                        "Unexpected non-whitespace character after JSON at position 8 (line 2 column 1)",
		"<!DOCTYPE html><html></html>":         `Unexpected token '<', "<!DOCTYPE "... is not valid JSON`,
		"[1,2,3,4,5,6,7,8,9,x,11,12,13,14,15]": `Unexpected token 'x', ..."5,6,7,8,9,x,11,12,13"... is not valid JSON`,
		"{\n  \"a\": 1,\n  \"long enough\": oops\n}": `Unexpected token 'o', ..." enough": oops` + "\n" + `}" is not valid JSON`,
	} {
		quoted, _ := json.Marshal(text)
		r, _ := run(t, "try { JSON.parse("+string(quoted)+") } catch (e) { return e.message }")
		var got string
		if json.Unmarshal(r.Value, &got); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
	r, _ := run(t, `return JSON.parse('[1.0, {"a": 9007199254740993, "b": true}, "x"]', function (k, v, c) { return c.source ?? v })`)
	if want := `["1.0",{"a":"9007199254740993","b":"true"},"\"x\""]`; string(r.Value) != want {
		t.Errorf("a reviver was told %s, not %s", r.Value, want)
	}
}
