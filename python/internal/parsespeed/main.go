//go:build unix

// Command parsespeed measures what Kit.Parse of the Go library takes for each text. It is
// the other side of python/engines/many_speed.py, which builds it. It needs getrusage.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"syscall"
	"time"

	"github.com/toolparse/toolparse"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "parsespeed:", err)
		os.Exit(1)
	}
}

// run reads the number of rounds and the texts, as JSON. After each line feed that
// follows it parses all texts, and prints the nanoseconds of the processor.
func run(in io.Reader, out io.Writer) error {
	input := bufio.NewReader(in)
	line, err := input.ReadBytes('\n')
	if err != nil {
		return err
	}
	var texts []string
	if err := json.Unmarshal(line, &texts); err != nil {
		return err
	}
	kit, err := toolparse.New(toolparse.Options{Wire: toolparse.Text})
	if err != nil {
		return err
	}
	for {
		if _, err := input.ReadByte(); err == io.EOF {
			return nil
		}
		begun := processorTime()
		answers := make([]*toolparse.Answer, len(texts))
		for i, text := range texts {
			if answers[i], err = kit.Parse(text); err != nil {
				return err
			}
		}
		fmt.Fprintln(out, int64(processorTime()-begun))
		runtime.KeepAlive(answers)
	}
}

// processorTime returns the time that all threads of the process have taken.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
