package schema

import "encoding/json"

// AnswerProblem says, for the model, what is wrong with an answer that is to be one JSON
// value that fits the schema; "" is nothing. A nil schema takes any value.
func (s *Schema) AnswerProblem(text string) string {
	if !json.Valid([]byte(text)) {
		return "The answer is not one JSON value and nothing else."
	}
	if s == nil {
		return ""
	}
	problems, _ := s.Validate([]byte(text))
	if len(problems) == 0 {
		return ""
	}
	words := "The answer does not fit its JSON Schema:"
	for _, one := range problems {
		words += "\n- " + one.Error()
	}
	return words
}
