package runtime

func (s *sandbox) defineModules() {}
