package ops_test

import "os"

func isRoot() bool { return os.Geteuid() == 0 }
