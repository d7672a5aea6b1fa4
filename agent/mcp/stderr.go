package mcp

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
)

// Limits for a server's standard error.
const (
	maxLoggedLine  = 1 << 10 // bytes of a line
	maxLoggedLines = 1000    // that are logged
	maxLastLines   = 3       // that an error shows
)

// stderrLog collects a server's standard error: it logs the lines for debugging, up to a
// limit, and keeps the last ones. It is safe for concurrent use.
type stderrLog struct {
	config *Config
	log    *slog.Logger

	mu     sync.Mutex
	line   []byte // the incomplete line
	cut    bool   // the line was too long
	logged int
	lines  []string // the last ones
}

// Write implements [io.Writer]. It never fails.
func (s *stderrLog) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range bytes.Lines(p) {
		line, ended := bytes.CutSuffix(line, []byte("\n"))
		room := maxLoggedLine - len(s.line)
		s.line, s.cut = append(s.line, line[:min(len(line), room)]...), s.cut || len(line) > room
		if ended {
			s.end()
		}
	}
	return len(p), nil
}

// end handles a complete line.
func (s *stderrLog) end() {
	text := strings.TrimSpace(s.config.hide(strings.ToValidUTF8(string(s.line), "\uFFFD")))
	if s.cut {
		text += " ..."
	}
	s.line, s.cut = s.line[:0], false
	if text == "" {
		return
	}
	if s.lines = append(s.lines, text); len(s.lines) > maxLastLines {
		s.lines = s.lines[1:]
	}
	if s.logged++; s.logged <= maxLoggedLines {
		s.log.LogAttrs(context.Background(), slog.LevelDebug, "mcp server", slog.String("server", s.config.Name), slog.String("stderr", text))
	}
	if s.logged == maxLoggedLines {
		s.log.Debug("mcp server: the rest of its standard error is not logged", "server", s.config.Name)
	}
}

// last returns the server's last lines, as the end of an error message.
func (s *stderrLog) last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.line) > 0 {
		s.end()
	}
	if len(s.lines) == 0 {
		return ""
	}
	return "; it said: " + strings.Join(s.lines, " | ")
}
