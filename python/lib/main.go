// Command lib is the library for C: build it with -buildmode=c-shared. Its functions
// return memory of C's allocator; free it with toolparse_free.
package main

/*
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
*/
import "C"

import (
	"os"
	"runtime/debug"
	"slices"
	"unsafe"

	"github.com/toolparse/toolparse/python/internal/bridge"
)

func main() {} // required by -buildmode=c-shared, never called

// init lets garbage wait, unless the user has said when to collect it: parsing makes much
// of it for each text, and keeps little.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// give copies a result to memory of C's allocator.
func give(out []byte, size *C.size_t) *C.char {
	*size = C.size_t(len(out))
	return (*C.char)(C.CBytes(out))
}

// toolparse_call runs an operation: JSON in, JSON out.
//
//export toolparse_call
func toolparse_call(operation *C.char, in *C.char, n C.size_t, size *C.size_t) *C.char {
	return give(bridge.Call(C.GoString(operation), unsafe.Slice((*byte)(unsafe.Pointer(in)), n)), size)
}

// toolparse_names returns the pickle that must be loaded before all others.
//
//export toolparse_names
func toolparse_names(size *C.size_t) *C.char { return give(bridge.Names, size) }

// toolparse_parse reads one text. special holds, for each of its count special tokens, the first
// character and the one after it; NULL if the special tokens are unknown.
//
//export toolparse_parse
func toolparse_parse(kit C.int64_t, in *C.char, n C.size_t, special *C.int64_t, count C.size_t, size *C.size_t) *C.char {
	places := slices.Clone(unsafe.Slice((*int64)(unsafe.Pointer(special)), 2*count))
	text := string(unsafe.Slice((*byte)(unsafe.Pointer(in)), n))
	var out *C.char
	bridge.Parse(int64(kit), text, places, func(piece []byte) { out = give(piece, size) })
	return out
}

// toolparse_begin begins to read count texts in the background, and returns a handle. They are
// concatenated in texts; ends holds the offsets of their ends, and first is the number of the
// first of them.
//
//export toolparse_begin
func toolparse_begin(kit C.int64_t, texts *C.char, ends *C.uint64_t, count, first C.size_t) C.int64_t {
	to := unsafe.Slice((*uint64)(unsafe.Pointer(ends)), count)
	all := string(unsafe.Slice((*byte)(unsafe.Pointer(texts)), to[count-1]))
	inputs, at := make([]string, count), uint64(0)
	for i := range inputs {
		inputs[i] = all[at:to[i]]
		at = to[i]
	}
	return C.int64_t(bridge.Begin(int64(kit), inputs, int(first)))
}

// toolparse_results waits for what was begun, and returns its results. They are valid until
// toolparse_drop, and not to be freed.
//
//export toolparse_results
func toolparse_results(begun C.int64_t, size *C.size_t) *C.char {
	piece := bridge.Results(int64(begun))
	*size = C.size_t(len(piece))
	return (*C.char)(unsafe.Pointer(unsafe.SliceData(piece)))
}

// toolparse_drop frees the results of what was begun. Each handle needs it.
//
//export toolparse_drop
func toolparse_drop(begun C.int64_t) { bridge.Drop(int64(begun)) }

// toolparse_feed feeds a chunk to a stream, and ends the stream if end is not 0.
//
//export toolparse_feed
func toolparse_feed(stream C.int64_t, in *C.char, n C.size_t, end C.int, size *C.size_t) *C.char {
	var out *C.char
	chunk := unsafe.Slice((*byte)(unsafe.Pointer(in)), n)
	bridge.Feed(int64(stream), chunk, end != 0, func(piece []byte) { out = give(piece, size) })
	return out
}

// toolparse_free frees a result of the other functions.
//
//export toolparse_free
func toolparse_free(p *C.char) { C.free(unsafe.Pointer(p)) }
