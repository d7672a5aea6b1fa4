//go:build !js && !wasip1 && !plan9

package store_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/toolparse/toolparse/gateway/internal/store"
)

// TestOpenDamaged: a file that is not a store is rejected with advice, and not changed.
func TestOpenDamaged(t *testing.T) {
	path, body := filepath.Join(t.TempDir(), "s.db"), bytes.Repeat([]byte("x"), 9000)
	if err := os.WriteFile(path, body, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(path, time.Hour, 1<<20); err == nil || !strings.Contains(err.Error(), "move it away") {
		t.Errorf("got %v", err)
	}
	if left, err := os.ReadFile(path); err != nil || !bytes.Equal(left, body) {
		t.Errorf("the file has changed: %v", err)
	}
}
