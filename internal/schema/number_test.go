package schema

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestScanNumber(t *testing.T) {
	tests := []struct {
		text  string
		n     int
		whole bool
	}{
		{"", 0, false}, {"-", 1, false}, {"0", 1, true}, {"-0", 2, true}, {"01", 1, true}, {"10", 2, true},
		{"1.", 2, false}, {"1.5", 3, true}, {".5", 0, false}, {"1e", 2, false}, {"1E+", 3, false}, {"1e-07", 5, true},
		{"1.e5", 2, false}, {"+1", 0, false}, {"1x", 1, true}, {"NaN", 0, false}, {"0x10", 1, true},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			if n, whole := scanNumber(tt.text); n != tt.n || whole != tt.whole {
				t.Errorf("scanNumber = %d, %v, want %d, %v", n, whole, tt.n, tt.whole)
			}
		})
	}
}

var numbers = rapid.StringMatching(`-?(0|[1-9][0-9]{0,6})(\.[0-9]{1,4})?([eE][+-]?[0-9]{1,2})?`)

func TestDecimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := numbers.Draw(t, "x"), numbers.Draw(t, "y")
		a, b := parseDecimal(x), parseDecimal(y)
		ra, _ := new(big.Rat).SetString(x)
		rb, _ := new(big.Rat).SetString(y)
		if got, want := a.compare(b), ra.Cmp(rb); got != want {
			t.Errorf("compare = %d, want %d", got, want)
		}
		if got, want := a.integral(), ra.IsInt(); got != want {
			t.Errorf("integral = %v, want %v", got, want)
		}
		if rb.Sign() > 0 {
			if got, want := a.multipleOf(b), new(big.Rat).Quo(ra, rb).IsInt(); got != want {
				t.Errorf("multipleOf = %v, want %v", got, want)
			}
		}
	})
}

func TestDecimalExtremes(t *testing.T) {
	const huge, tiny = "1e99999999999999999999", "1e-99999999999999999999"
	tests := []struct {
		x, y string
		want int
	}{
		{huge, "5", 1}, {"-" + huge, "5", -1}, {tiny, "0", 1}, {tiny, "5", -1}, {"-0.0e9", "0", 0}, {huge, tiny, 1},
	}
	for _, tt := range tests {
		t.Run(tt.x+" "+tt.y, func(t *testing.T) {
			if got := parseDecimal(tt.x).compare(parseDecimal(tt.y)); got != tt.want {
				t.Errorf("compare = %d, want %d", got, tt.want)
			}
		})
	}
	if !parseDecimal(huge).integral() || parseDecimal(tiny).integral() {
		t.Error("integral")
	}
}
