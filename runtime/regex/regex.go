package regex

func Compile(source []uint16, flags string) (int, error) { return 0, nil }
