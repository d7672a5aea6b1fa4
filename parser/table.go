package parser

// Dialects returns the table, in a fixed order.
func Dialects() []*Dialect { return nil }

// Named returns the dialects that name stands for: one, by its name or an
// alias; "auto", all of the table, in the order in which they are tried; or
// "json", the profile of provider ("openai", "gemini", ...; "" where it is not
// known: all three). An unknown name is an error that lists the nearest ones.
func Named(name, provider string) ([]*Dialect, error) { return nil, nil }
