package dialect

// Results says how the results of calls are written to a model. In the markers, {name} and
// {id} stand for those of the call, and {at} for its number in the message, from 1.
type Results struct {
	// Role is the role of their turn in the template; by default the user's. Requests with
	// results as text have them in a message of the user, because servers write messages of
	// other roles in their own way.
	Role    string `json:"role,omitempty"`
	Turn    Pair   `json:"turn,omitzero"`     // encloses all results that follow one message
	Result  Pair   `json:"result,omitzero"`   // encloses one result
	Between string `json:"between,omitempty"` // separates two results
	// Quoted: the text of a result is written as a JSON string. With Nested, a text that is
	// JSON is written as it is.
	Quoted bool `json:"quoted,omitempty"`
	Nested bool `json:"nested,omitempty"`
	// Alone: every result has its own turn. If they share one nevertheless, Between
	// separates them.
	Alone bool `json:"alone,omitempty"`
}

// ResultForm returns how results are written. The default is the form of Hermes, which most
// templates are derived from.
func (d *Dialect) ResultForm() Results {
	if d.Results == (Results{}) {
		return toolResponse
	}
	return d.Results
}

// How the results of calls are written to a model, inside the turn of the role that its
// template gives them.
var (
	// toolResponse is the form of Hermes, and the default for other rows, because most
	// templates are derived from it.
	toolResponse = Results{Result: Pair{Open: "<tool_response>\n", Close: "\n</tool_response>"}, Between: "\n"}
	toolOutputs  = Results{
		Turn: Pair{Open: "<｜tool▁outputs▁begin｜>", Close: "<｜tool▁outputs▁end｜>"}, Result: toolOutput.Result, Between: "\n",
	}
	toolOutput      = Results{Result: Pair{Open: "<｜tool▁output▁begin｜>", Close: "<｜tool▁output▁end｜>"}}
	functionResults = Results{
		Turn: Pair{Open: "<function_results>\n", Close: "\n</function_results>"}, Result: Pair{Open: "<result>", Close: "</result>"}, Between: "\n",
	}
	invokeResults = Results{
		Turn:   functionResults.Turn,
		Result: Pair{Open: "<result>\n<tool_name>{name}</tool_name>\n<stdout>", Close: "</stdout>\n</result>"}, Between: "\n",
	}
	namedResponse = Results{
		Result:  Pair{Open: "<tool_response>\n  <tool_name>{name}</tool_name>\n  <result>\n", Close: "\n  </result>\n</tool_response>"},
		Between: "\n",
	}
)

// rawResults writes the texts of results unmodified, each in a turn of role.
func rawResults(role string) Results { return Results{Role: role, Between: "\n", Alone: true} }

// cohereResults writes results as a JSON array. open and close enclose each text.
func cohereResults(open, close string) Results {
	return Results{
		Role: "system",
		Turn: Pair{Open: "<|START_TOOL_RESULT|>[\n    ", Close: "\n]<|END_TOOL_RESULT|>"},
		Result: Pair{
			Open:  "{\n        \"tool_call_id\": \"{id}\",\n        \"results\": {\n            \"0\": " + open,
			Close: close + "\n        },\n        \"is_error\": null\n    }",
		},
		Between: ",\n    ", Quoted: true,
	}
}
