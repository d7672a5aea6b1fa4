package toolcall

import "fmt"

// nameOf returns names[i], or a text such as "Status(9)" if there is no such name.
func nameOf(names []string, i int, kind string) string {
	if i >= 0 && i < len(names) && names[i] != "" {
		return names[i]
	}
	return fmt.Sprintf("%s(%d)", kind, i)
}

// valueOf returns the index of a name in names. It fails if there is no such name.
func valueOf(names []string, text []byte, kind string) (int, error) {
	for i, name := range names {
		if name != "" && name == string(text) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("toolcall: unknown %s %q", kind, text)
}

// decodeName sets a value to the index of its name in names. It fails if there is no such
// name.
func decodeName[T ~uint8](v *T, names []string, text []byte, kind string) error {
	i, err := valueOf(names, text, kind)
	*v = T(i)
	return err
}
