package main

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Whatever is wrong with a value, the message speaks of the file.
func TestConfigErrorsSpeakOfTheFile(t *testing.T) {
	code := regexp.MustCompile(`main\.|policy\.|struct|\[\]string|of type|\bbool\b|TOML`)
	for _, k := range configShapes {
		table, key := "", k.key
		if at := strings.LastIndexByte(key, '.'); at >= 0 {
			table, key = "["+key[:at]+"]\n", key[at+1:]
			table = strings.NewReplacer("[hooks.before_delete]", "[[hooks.before_delete]]").Replace(table)
		}
		wrong := []string{"3", "1.5", "2020-01-01", "[[1]]", "{x = 1}", "[[\"a\"], 2]"}
		if k.shape != "true or false" {
			wrong = append(wrong, "true")
		}
		if strings.HasPrefix(k.shape, "a list") || strings.HasPrefix(k.shape, "t") {
			wrong = append(wrong, `"text"`)
		}
		for _, value := range wrong {
			if key == "ask" && strings.HasPrefix(value, "{") { // a table it is, with an unknown key
				continue
			}
			s := &source{name: "f"}
			err := s.decode([]byte(table + key + " = " + value + "\n"))
			switch {
			case err == nil:
				t.Errorf("%s%s = %s is taken", table, key, value)
			case code.MatchString(err.Error()), !strings.Contains(err.Error(), "must be") && !strings.Contains(err.Error(), "unknown key"):
				t.Errorf("%s%s = %s: %v", table, key, value, err)
			}
		}
	}
}

// The list of keys in messages is the one that the decoder knows.
func TestConfigShapesAreComplete(t *testing.T) {
	var keys []string
	var collect func(prefix string, of reflect.Type)
	collect = func(prefix string, of reflect.Type) {
		for i := range of.NumField() {
			f := of.Field(i)
			key := prefix + f.Tag.Get("toml")
			keys = append(keys, key)
			inner := f.Type
			if inner.Kind() == reflect.Slice {
				inner = inner.Elem()
			}
			if inner.Kind() == reflect.Struct {
				collect(key+".", inner)
			}
		}
	}
	collect("", reflect.TypeFor[fileConfig]())
	var have []string
	for _, k := range configShapes {
		have = append(have, k.key)
	}
	if !slices.Equal(have, keys) {
		t.Errorf("messages know %v, the decoder %v", have, keys)
	}
}
