package gitstate

import (
	"bytes"
	"fmt"
	"os"
)

// confinedArgs keep git, asked about a repository that must not lead out of a
// directory, from reading the files outside that its config may name: their
// content would show in what git answers. Where included config could name
// more, git is not asked at all.
func (r *repository) confinedArgs() ([]string, error) {
	if r.within == "" {
		return nil, nil
	}
	for _, file := range configFiles(r.gitDir, r.commonDir) {
		data, _, err := readRegular(file, maxConfig)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil || bytes.Contains(bytes.ToLower(data), []byte("[include")) {
			return nil, fmt.Errorf("%q includes other files, which may lie outside", file)
		}
	}
	return []string{"-c", "core.excludesFile=" + os.DevNull, "-c", "core.attributesFile=" + os.DevNull}, nil
}
