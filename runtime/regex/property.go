package regex

import (
	"strings"
	"sync"
	"unicode"
)

var propertyCache sync.Map // of ranges, by name

// propertySet is the set of a property escape, or says why there is none.
func propertySet(text string) (ranges, string) {
	if cached, ok := propertyCache.Load(text); ok {
		return cached.(ranges), ""
	}
	set, problem := findProperty(text)
	if problem == "" {
		propertyCache.Store(text, set)
	}
	return set, problem
}

func findProperty(text string) (ranges, string) {
	const invalid = "Invalid property name"
	name, value, isPair := strings.Cut(text, "=")
	if isPair {
		switch name {
		case "General_Category", "gc":
			if set, ok := category(value); ok {
				return set, ""
			}
		case "Script", "sc":
			if alias, ok := scriptAliases[value]; ok {
				value = alias
			}
			if table := unicode.Scripts[value]; table != nil {
				return ofTable(table), ""
			}
		case "Script_Extensions", "scx":
			return nil, "Script_Extensions is not supported; use Script"
		}
		return nil, invalid
	}
	if set, ok := category(text); ok {
		return set, ""
	}
	if set, ok := binary(text); ok {
		return set, ""
	}
	switch text {
	case "Basic_Emoji", "Emoji_Keycap_Sequence", "RGI_Modifier_Sequence", "RGI_Flag_Sequence", "RGI_Emoji_Modifier_Sequence",
		"RGI_Emoji_Flag_Sequence", "RGI_Emoji_Tag_Sequence", "RGI_Emoji_ZWJ_Sequence", "RGI_Emoji":
		return nil, "properties of strings are not supported; use Emoji_Presentation or Extended_Pictographic"
	}
	return nil, invalid
}

func category(name string) (ranges, bool) {
	switch name {
	case "Any":
		return ranges{0, maxRune}, true
	case "Assigned":
		all := negate(unassigned())
		return all, true
	case "Cn", "Unassigned":
		return unassigned(), true
	case "C", "Other":
		return union(unassigned(), ofTable(unicode.C)), true
	case "LC", "Cased_Letter":
		return union(ofTable(unicode.Lu), ofTable(unicode.Ll), ofTable(unicode.Lt)), true
	}
	if alias, ok := unicode.CategoryAliases[name]; ok {
		name = alias
	}
	if table := unicode.Categories[name]; table != nil {
		return ofTable(table), true
	}
	return nil, false
}

// unassigned is what belongs to no category.
var unassigned = sync.OnceValue(func() ranges {
	var sets []ranges
	for _, name := range []string{"L", "M", "N", "P", "S", "Z", "Cc", "Cf", "Co", "Cs"} {
		sets = append(sets, ofTable(unicode.Categories[name]))
	}
	return negate(union(sets...))
})

// binary is the set of a binary property.
func binary(name string) (ranges, bool) {
	if long, ok := binaryAliases[name]; ok {
		name = long
	}
	tables := func(names ...string) ranges {
		var sets []ranges
		for _, n := range names {
			if t := unicode.Categories[n]; t != nil {
				sets = append(sets, ofTable(t))
			} else {
				sets = append(sets, ofTable(unicode.Properties[n]))
			}
		}
		return union(sets...)
	}
	switch name {
	case "ASCII":
		return between(0, 127), true
	case "Alphabetic":
		return tables("Lu", "Ll", "Lt", "Lm", "Lo", "Nl", "Other_Alphabetic"), true
	case "Lowercase":
		return tables("Ll", "Other_Lowercase"), true
	case "Uppercase":
		return tables("Lu", "Other_Uppercase"), true
	case "Cased":
		return tables("Lu", "Ll", "Lt", "Other_Lowercase", "Other_Uppercase"), true
	case "Math":
		return tables("Sm", "Other_Math"), true
	case "ID_Start", "XID_Start":
		return subtract(tables("L", "Nl", "Other_ID_Start"), tables("Pattern_Syntax", "Pattern_White_Space")), true
	case "ID_Continue", "XID_Continue":
		return subtract(tables("L", "Nl", "Other_ID_Start", "Mn", "Mc", "Nd", "Pc", "Other_ID_Continue"), tables("Pattern_Syntax", "Pattern_White_Space")), true
	}
	if set, ok := emoji[name]; ok {
		return set, true
	}
	if table := unicode.Properties[name]; table != nil && !strings.HasPrefix(name, "Other_") && name != "Prepended_Concatenation_Mark" && name != "Hyphen" {
		return ofTable(table), true
	}
	return nil, false
}

func ofTable(t *unicode.RangeTable) ranges {
	var set ranges
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			set = append(set, lo, hi)
			return
		}
		for r := lo; r <= hi; r += stride {
			set = append(set, r, r)
		}
	}
	for _, r := range t.R16 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range t.R32 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	return union(set)
}

var binaryAliases = map[string]string{
	"Alpha": "Alphabetic", "Lower": "Lowercase", "Upper": "Uppercase", "space": "White_Space", "IDS": "ID_Start", "IDC": "ID_Continue",
	"XIDS": "XID_Start", "XIDC": "XID_Continue", "AHex": "ASCII_Hex_Digit", "Hex": "Hex_Digit", "Dash": "Dash", "Dia": "Diacritic",
	"Ideo": "Ideographic", "QMark": "Quotation_Mark", "RI": "Regional_Indicator", "Pat_Syn": "Pattern_Syntax", "Pat_WS": "Pattern_White_Space",
	"EPres": "Emoji_Presentation", "EMod": "Emoji_Modifier", "EBase": "Emoji_Modifier_Base", "EComp": "Emoji_Component", "ExtPict": "Extended_Pictographic",
	"VS": "Variation_Selector", "Term": "Terminal_Punctuation", "STerm": "Sentence_Terminal", "Ext": "Extender", "UIdeo": "Unified_Ideograph",
}

// scriptAliases are the short names of scripts that are in use.
var scriptAliases = map[string]string{
	"Latn": "Latin", "Grek": "Greek", "Cyrl": "Cyrillic", "Hani": "Han", "Hira": "Hiragana", "Kana": "Katakana", "Arab": "Arabic",
	"Hebr": "Hebrew", "Thai": "Thai", "Hang": "Hangul", "Deva": "Devanagari", "Zyyy": "Common", "Zinh": "Inherited", "Qaai": "Inherited",
	"Armn": "Armenian", "Geor": "Georgian", "Beng": "Bengali", "Taml": "Tamil", "Telu": "Telugu", "Ethi": "Ethiopic", "Khmr": "Khmer",
	"Mong": "Mongolian", "Tibt": "Tibetan", "Gujr": "Gujarati", "Guru": "Gurmukhi", "Knda": "Kannada", "Mlym": "Malayalam",
	"Mymr": "Myanmar", "Sinh": "Sinhala", "Laoo": "Lao", "Bopo": "Bopomofo", "Copt": "Coptic", "Goth": "Gothic", "Runr": "Runic",
}
