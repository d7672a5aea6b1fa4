// Package callid tells the ids that calls have in a text, for their results to name.
package callid

import (
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/parser"
)

// Shown is the id of a call as its turn shows it: in a dialect that puts an index at
// names the whole of both, and else the id, or the place where it is "".
func Shown(head *parser.Head, name, id string, place int) string {
	if head.Index != "" {
		full := head.Prefix + name + head.Index
		if rest, ok := strings.CutPrefix(id, full); ok && rest != "" && strings.Trim(rest, "0123456789") == "" {
			return id
		}
		return full + strconv.Itoa(place)
	}
	if id == "" {
		return strconv.Itoa(place)
	}
	return id
}
