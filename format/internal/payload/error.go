package payload

import "github.com/toolparse/toolparse/toolcall"

// Error makes a delta of a provider's error, in whichever of the known shapes:
// an object with a message and some of code, status and type, or just a text.
func (t *Texts) Error(v Value) toolcall.Delta {
	d := toolcall.Delta{Kind: toolcall.DeltaError}
	if v.Kind != Object {
		if d.Text = t.Whole(v); d.Text == "" {
			d.Text = string(v.Raw)
		}
		return d
	}
	var code, status, kind, message Value
	for key, member := range v.Fields() {
		switch string(key) {
		case "code":
			code = member
		case "status":
			status = member
		case "type":
			kind = member
		case "message":
			message = member
		}
	}
	for _, name := range [...]Value{code, status, kind} {
		if name.Kind == String && len(name.Raw) > 0 {
			d.Name = t.Name(name)
			break
		}
	}
	if d.Name == "" {
		d.Name = t.Name(code)
	}
	if d.Text = t.Whole(message); d.Text == "" {
		d.Text = string(v.Raw)
	}
	return d
}
