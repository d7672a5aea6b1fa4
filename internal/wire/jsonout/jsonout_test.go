package jsonout

import "testing"

func TestWriter(t *testing.T) {
	var w Writer
	w.Object()
	w.Text("none", "")
	w.Number("zero", 0)
	w.Text("a", "x\"\n\xff")
	w.KeyArray("list")
	w.Int(-1)
	w.Bool(true)
	w.Raw(nil)
	w.Object()
	w.EndObject()
	w.Array()
	w.EndArray()
	w.EndArray()
	w.Member("raw", []byte("1.50"))
	w.EndObject()
	const want = `{"a":"x\"\n` + "\ufffd" + `","list":[-1,true,null,{},[]],"raw":1.50}`
	if string(w.Out) != want {
		t.Errorf("%s\nwant %s", w.Out, want)
	}
}

func TestNextGoesOnInAnObject(t *testing.T) {
	w := Writer{Out: []byte(`{"a":1`)}
	w.Next()
	w.Text("b", "c")
	w.EndObject()
	if want := `{"a":1,"b":"c"}`; string(w.Out) != want {
		t.Errorf("%s, want %s", w.Out, want)
	}
}
