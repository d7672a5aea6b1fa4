package manifest

import "strings"

// sampleWord is a short text for a parameter of this name, another one for the next
// turn.
func sampleWord(name string, turn int) string {
	about := plainWords(name)
	list := wordsFor(strings.ToLower(about[strings.LastIndexByte(about, ' ')+1:]))
	if list == nil {
		list = []string{"some " + about, "another " + about, "one more " + about}
	}
	return list[turn%len(list)]
}

// wordsFor are likely values of a parameter whose name ends with a word, nil for a word
// that says too little. They are short: they stand in three calls of every manifest.
func wordsFor(last string) []string {
	switch last {
	case "city", "town", "location", "place", "destination":
		return []string{"Oslo", "Rome", "Lima"}
	case "country":
		return []string{"Peru", "Chad", "Mali"}
	case "name", "user", "username", "author", "customer", "owner", "person":
		return []string{"Ann", "Bob", "Eve"}
	case "query", "keyword", "term", "topic", "subject", "search":
		return []string{"cats", "dogs", "owls"}
	case "path", "file", "filename":
		return []string{"a.txt", "b.txt", "c.txt"}
	case "folder", "dir", "directory":
		return []string{"src", "docs", "bin"}
	case "text", "message", "content", "contents", "body", "title", "note", "comment":
		return []string{"Hello", "Thanks", "Bye"}
	case "url", "uri", "link":
		return []string{"https://a.org", "https://b.org", "https://c.org"}
	case "email":
		return []string{"ann@a.org", "bob@a.org", "eve@a.org"}
	case "command", "cmd":
		return []string{"ls", "pwd", "date"}
	case "id":
		return []string{"a1", "b2", "c3"}
	}
	return nil
}
