package streamgen

// Split cuts text into chunks of one to some dozens of bytes; it may cut
// inside a UTF-8 sequence. An exhausted tape gives one chunk.
func Split(src Source, text string) []string {
	longest := pick(src, len(text)+1, 1, 3, 16, 64)
	var chunks []string
	for text != "" {
		n := min(len(text), longest)
		if longest <= 64 {
			n = min(n, 1+src.IntN(longest))
		}
		chunks, text = append(chunks, text[:n]), text[n:]
	}
	return chunks
}

// Every cuts text into chunks of n bytes, the last one shorter.
func Every(n int, text string) []string {
	chunks := make([]string, 0, len(text)/n+1)
	for len(text) > n {
		chunks, text = append(chunks, text[:n]), text[n:]
	}
	if text != "" {
		chunks = append(chunks, text)
	}
	return chunks
}
