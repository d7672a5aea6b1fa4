package toolcall

import "fmt"

// nameOf is names[i], or what tells a value without a name: "Status(9)".
func nameOf(names []string, i int, kind string) string {
	if i >= 0 && i < len(names) && names[i] != "" {
		return names[i]
	}
	return fmt.Sprintf("%s(%d)", kind, i)
}
