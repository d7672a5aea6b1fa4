package tools

import (
	"fmt"
	"strings"
)

// maxDiff limits the lines of a diff that a person is shown.
const maxDiff = 40

// diff returns the difference between two texts as one hunk with context: the lines
// between their common beginning and end.
func diff(name, old, new string) string {
	const around = 3
	a, b := splitLines(old + "\n")[:lineCount(old)], splitLines(new + "\n")[:lineCount(new)]
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n@@ line %d @@\n", printed(name), printed(name), head+1)
	left := maxDiff
	write := func(mark string, lines []string) {
		for i, line := range lines {
			if left--; left < 0 {
				fmt.Fprintf(&out, "%s... and %d more lines\n", mark, len(lines)-i)
				return
			}
			line = strings.TrimSuffix(line, "\n")
			if len(line) > maxFound {
				line = strings.ToValidUTF8(line[:maxFound], "") + "..."
			}
			out.WriteString(mark + line + "\n")
		}
	}
	write(" ", a[max(head-around, 0):head])
	left = maxDiff
	write("-", a[head:len(a)-tail])
	left = maxDiff
	write("+", b[head:len(b)-tail])
	left = maxDiff
	write(" ", a[len(a)-tail:min(len(a)-tail+around, len(a))])
	return out.String()
}

func lineCount(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}
