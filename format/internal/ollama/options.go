package ollama

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/unknown"
)

// inOptions is where most settings stand.
const inOptions = "options"

// noLimit is the num_predict that sets none.
const noLimit = -1

func (r *reading) options(req *chat.Request, keep *unknown.Keeper, v rawjson.Value) {
	r.Members(v, inOptions, keep, inOptions, "temperature", &req.Temperature, "top_p", &req.TopP,
		"num_predict", func(v rawjson.Value) {
			n, ok := v.Int()
			switch {
			case v.Kind == rawjson.Number && ok && n > 0:
				req.MaxTokens = n
			case v.Kind == rawjson.Number && n == noLimit: // as it is without a word
				keep.Spell("num_predict")
			default:
				keep.KeepSet(inOptions, []byte("num_predict"), v)
			}
		},
		"stop", func(v rawjson.Value) {
			var ok bool
			if req.Stop, ok = r.stop(v); !ok {
				keep.KeepSet(inOptions, []byte("stop"), v)
			}
		})
}

// stop reads a list of texts, or one of them.
func (r *reading) stop(v rawjson.Value) (stop []string, ok bool) {
	if v.Kind == rawjson.String {
		return []string{r.Texts.Whole(v)}, true
	}
	for s := range v.Items() {
		if s.Kind != rawjson.String {
			return nil, false
		}
		stop = append(stop, r.Texts.Whole(s))
	}
	return stop, v.Kind == rawjson.Array
}

func (w *writing) options(req *chat.Request) {
	w.parallel(req.ParallelCalls)
	limit := req.MaxTokens
	if limit == 0 && req.Extras.Spells(Wire, "num_predict") {
		limit = noLimit
	}
	if req.Temperature == "" && req.TopP == "" && limit == 0 && len(req.Stop) == 0 && !w.HasExtras(req.Extras, inOptions) {
		return
	}
	w.KeyObject(inOptions)
	w.Decimal("temperature", req.Temperature)
	w.Decimal("top_p", req.TopP)
	w.Number("num_predict", limit)
	w.Strings("stop", req.Stop)
	w.Extras(req.Extras, inOptions)
	w.EndObject()
}

func (w *writing) parallel(s chat.Switch) {
	if s == chat.Off {
		w.Log.Add(features.ParallelCalls, "parallel_calls")
	}
}
