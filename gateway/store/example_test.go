package store_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/gateway/store"
)

// Keep two turns, and read the conversation up to the second.
func Example() {
	dir, err := os.MkdirTemp("", "store")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	s, err := store.Open(filepath.Join(dir, "conversations.db"), store.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()

	message := func(role chat.Role, text string) chat.Message {
		return chat.Message{Role: role, Parts: []chat.Part{chat.TextPart(text)}}
	}
	hello, sunny := message(chat.Assistant, "Hello."), message(chat.Assistant, "Sunny.")
	for _, turn := range []store.Turn{
		{ID: "resp_1", Input: []chat.Message{message(chat.User, "Hi")}, Output: &hello},
		{ID: "resp_2", Previous: "resp_1", Input: []chat.Message{message(chat.User, "The weather?")}, Output: &sunny},
	} {
		if err := s.Put(turn, ""); err != nil {
			log.Fatal(err)
		}
	}
	messages, err := s.History("resp_2")
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range messages {
		fmt.Printf("%s: %s\n", m.Role, m.Parts[0].Text)
	}
	// Output:
	// user: Hi
	// assistant: Hello.
	// user: The weather?
	// assistant: Sunny.
}
