package dialect

import "strings"

// Dialects with literal markers around each key and each value.

var keyTable = []*Dialect{glm45, glm47, glm5, ling3, spark25, poolside, lagunaS21, iquest, hyperclovax, hunyuanV3, hunyuanV4, k2Horizon, solarOpen2, xing4}

// thinkToken is <think> as a token of the model, which does not occur in prose.
var thinkToken = []Reasoning{{Open: "<think>", Close: "</think>", Anywhere: true}}

// keyed is what most dialects of this family have in common.
var keyed = Dialect{Reasoning: thinkToken}

// argKeys returns the form of arguments of GLM and the models that copied it.
func argKeys(between string) Args {
	return Args{
		Form: ArgsPairs, KeyMark: Pair{"<arg_key>", "</arg_key>" + between}, ValueMark: Pair{"<arg_value>", "</arg_value>" + between},
		Escaped: true,
	}
}

// Quirks that all of them share.
const (
	quirkLayout  = `A line feed written as a backslash and an n after the name, a key or a value is layout, like the line feed.`
	quirkEscaped = `A list or object with escaped quotes, as if inside a string, is unescaped if the schema asks for a list or object.`
	quirkValue   = `A value may lack its opening or closing marker: it begins after the key and ends before the next key or the end of the call.`
	quirkNoValue = `A key without a value is skipped (tolerance missing_key).`
	quirkNoKey   = `The first key may lack its opening marker (tolerance missing_opener).`
)

var glm45 = row(keyed, Dialect{
	Name:              "glm45",
	Aliases:           []string{"glm", "glm4", "glm-4.5", "glm-4.6", "glm46"},
	About:             "GLM 4.5 and 4.6",
	Source:            "the models' chat templates; vLLM glm45, SGLang glm and glm45, Ollama glm-4.6",
	Quirks:            []string{quirkLayout, quirkEscaped, quirkValue, quirkNoValue, quirkNoKey, quirkEndsReasoning},
	Frame:             Frame{Call: Pair{"<tool_call>", "</tool_call>"}, Between: "\n"},
	Head:              Head{Form: HeadLiteral, End: "\n"},
	Args:              argKeys("\n"),
	Noise:             []string{"<|user|>", "<|assistant|>", "<|observation|>", "<|endoftext|>"},
	CallsEndReasoning: true,
	Results:           toolResponse,
	Show:              showGLM45,
	Written:           Written{Keeps: KeepsTurn, Lead: "\n", Reasoning: Pair{"<think>", "</think>\n"}},
	Ends:              Ends{Stop: []string{"<|observation|>", "<|user|>", "<tool_response>"}},
	Example:           "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>",
})

var glm47 = row(keyed, Dialect{
	Name:              "glm47",
	Aliases:           []string{"glm-4.7", "glm-ocr"},
	About:             "GLM 4.7: as glm45, without newlines",
	Source:            "the models' chat templates; vLLM glm47, SGLang glm47, Ollama glm-4.7",
	Quirks:            []string{quirkEscaped, quirkValue, quirkNoValue, quirkNoKey, "Line feeds as in glm45 are accepted.", "</arg_value> may follow the name."},
	Frame:             Frame{Call: Pair{"<tool_call>", "</tool_call>"}},
	Head:              Head{Form: HeadLiteral},
	Args:              argKeys(""),
	Also:              []Form{{Frame: Frame{Call: Pair{"<tool_call>", "</tool_call>"}}, Head: Head{Form: HeadLiteral, End: "</arg_value>"}, Args: argKeys("")}},
	Noise:             glm45.Noise,
	CallsEndReasoning: true,
	Results:           Results{Result: Pair{"<tool_response>", "</tool_response>"}},
	Show:              showGLM47,
	Written:           Written{Keeps: KeepsTurn, Begun: "<think>"},
	Ends:              Ends{Stop: []string{"<|observation|>", "<|user|>", "<tool_response>"}},
	Example:           "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Oslo</arg_value></tool_call>",
})

var glm5 = variant(glm47, func(d *Dialect) {
	d.Name, d.Aliases = "glm5", []string{"glm-5"}
	d.About = "GLM 5: as glm47, with the functions alone in the list of tools"
	d.Source = "the models' chat templates"
	d.Show = showGLM5
})

var ling3 = derived(glm45, func(d *Dialect) {
	d.Name, d.Aliases = "ling3", []string{"ling-3", "ring3"}
	d.About, d.Source = "Ling 3 and Ring 3: as glm45, with other ends of a turn", "SGLang ling3, llama.cpp Ling 3"
	d.Noise = []string{"<|role_end|>", "<|endoftext|>"}
	d.Show = showLing3
	d.Written = Written{Keeps: KeepsAll, Begun: "<think>", Lead: "\n"}
	d.Frame.Call.Close = "\n</tool_call>"
	d.Args.ValueMark.Close = "</arg_value>"
	d.Ends = Ends{Turn: "<|role_end|>"}
})

var spark25 = row(keyed, Dialect{
	Name:    "spark25",
	Aliases: []string{"spark2.5", "spark-2.5", "spark3"},
	About:   "iFlytek Spark 2.5 and 3",
	Source:  "SGLang spark25, llama.cpp Spark 2.5, ms-swift spark2_5; tabbyAPI spark2_5 for the tokens with bars",
	Quirks:  []string{quirkValue, quirkNoValue, "X2.5 also writes <|tool_call|> and <|/tool_call|>."},
	Frame:   glm47.Frame,
	Head:    glm47.Head,
	Args:    argKeys(""),
	Also:    []Form{{Frame: Frame{Call: Pair{"<|tool_call|>\n", "\n<|/tool_call|>"}}, Head: glm47.Head, Args: argKeys("")}},
	Noise:   []string{"<end>", "<|Bot|>", "<|User|>", "<|Tool|>", "<｜end▁of▁sentence｜>"},
	Show:    showSpark,
	Results: glm47.Results,
	Written: Written{Keeps: KeepsAll, Begun: "<think>"},
	Ends:    Ends{Turn: "<｜end▁of▁sentence｜>"},
	Example: glm47.Example,
})

var poolside = row(keyed, Dialect{
	Name:    "poolside_v1",
	Aliases: []string{"poolside", "poolside-v1", "laguna"},
	About:   "Poolside Laguna",
	Source:  "vLLM poolside_v1, SGLang poolside_v1, Ollama laguna and poolside-v1",
	Quirks: []string{
		"The arguments, or the whole call, may be a JSON object.",
		"A JSON object with name and arguments but no markers is a call if a tool of that name is declared.",
		quirkValue, quirkNoValue,
	},
	Frame: glm45.Frame,
	Head:  glm45.Head,
	Args:  argKeys("\n"),
	Also: []Form{
		{Frame: glm45.Frame, Head: glm45.Head, Args: Args{Form: ArgsJSON}},
		{Frame: glm45.Frame, Head: Head{Form: HeadEnvelope, Name: []string{"name"}}, Args: Args{Form: ArgsJSON, Keys: []string{"arguments", "parameters"}}},
		{Head: Head{Form: HeadEnvelope, Name: []string{"name"}}, Args: Args{Form: ArgsJSON, Keys: []string{"arguments"}}},
	},
	Noise:   []string{"<assistant>", "</assistant>"},
	Show:    showLaguna,
	Written: Written{Keeps: KeepsAll, Begun: "<think>", Lead: "\n", Reasoning: Pair{"<think>\n", "\n</think>\n"}},
	Results: toolResponse,
	Ends:    Ends{Turn: "</assistant>"},
	Example: glm45.Example,
})

var lagunaS21 = variant(poolside, func(d *Dialect) {
	d.Name, d.Aliases = "laguna_s21", []string{"laguna-s2.1", "laguna-s-2.1"}
	d.About = "Poolside Laguna S 2.1: as poolside_v1, without newlines"
	d.Source = "the model's chat template"
	d.Frame, d.Head, d.Args = glm47.Frame, glm47.Head, glm47.Args
	d.Written = Written{Keeps: KeepsAll, Begun: "<think>", Reasoning: Pair{"<think>", "</think>"}}
	d.Results, d.Show, d.Example = glm47.Results, showLagunaS21, glm47.Example
	d.Results.Between = "\n"
})

var iquest = row(keyed, Dialect{
	Name:    "iquest_q1",
	Aliases: []string{"iquest", "iquest-q1"},
	About:   "IQuest Q1",
	Source:  "SGLang iquest_q1 (a branch)",
	Quirks:  []string{quirkValue, quirkNoValue},
	Frame:   Frame{Call: Pair{"<iquest_tool_call>", "</iquest_tool_call>"}},
	Head:    Head{Form: HeadLiteral},
	Args:    argKeys(""),
	Example: "<iquest_tool_call>get_weather<arg_key>city</arg_key><arg_value>Oslo</arg_value></iquest_tool_call>",
})

var hyperclovax = row(keyed, Dialect{
	Name:    "hyperclovax_seed_think",
	Aliases: []string{"hyperclovax", "hyperclovax-seed-think"},
	About:   "HyperCLOVA X SEED Think",
	Source:  "the model's chat template; vLLM hyperclovax_seed_think",
	Quirks: []string{
		"Strings may lack their quotes.",
		"auto reads these markers as glm45, where a string keeps its quotes.",
		"A bare JSON list of calls, the result of a forced tool choice, counts if its tools are declared.",
		quirkValue, quirkNoValue,
	},
	Frame: glm45.Frame,
	Head:  glm45.Head,
	Args: Args{
		Form: ArgsPairs, KeyMark: Pair{"<arg_key>", "</arg_key>\n"}, ValueMark: Pair{"<arg_value>", "</arg_value>\n"},
		Layout: LayoutTrim, Quote: `"`,
	},
	Also: []Form{{
		Head: Head{Form: HeadEnvelope, Name: []string{"name"}, Wrap: []string{"function"}, Array: true},
		Args: Args{Form: ArgsJSON, Keys: []string{"parameters", "arguments"}},
	}},
	Ends:    Ends{Turn: "<|im_end|>"},
	Example: "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>\"Oslo\"</arg_value>\n</tool_call>",
})

// hunyuanSuffixes are what the markers of Hy3 and Hy4 end with: those of the open weights,
// those that servers of Hy4 preview let through, and none.
var hunyuanSuffixes = []string{":opensource", ":6124c78e", ""}

// hunyuanForms returns the forms of calls whose markers end with each suffix. The form of
// Hy3 has line feeds, and a separator after the name.
func hunyuanForms(newline, separator string) []Form {
	var forms []Form
	for _, suffix := range hunyuanSuffixes {
		tag := func(name string) Pair {
			return Pair{"<" + name + suffix + ">", "</" + name + suffix + ">"}
		}
		section, key, value := tag("tool_calls"), tag("arg_key"), tag("arg_value")
		f := Form{
			Frame: Frame{Section: Pair{section.Open + newline, newline + section.Close}, Call: tag("tool_call"), Between: newline},
			Head:  Head{Form: HeadLiteral},
			Args: Args{
				Form: ArgsPairs, KeyMark: Pair{key.Open, key.Close + newline}, ValueMark: Pair{value.Open, value.Close + newline},
				Escaped: newline != "" || suffix == "",
			},
		}
		if separator != "" {
			f.Head.End = tag(separator).Open + newline
		}
		forms = append(forms, f)
	}
	return forms
}

var hunyuanV3 = (&Dialect{
	Name:    "hy_v3",
	Aliases: []string{"hunyuan", "hy3", "hyv3"},
	About:   "Tencent Hy3",
	Source:  "the model's chat template; vLLM hy_v3, SGLang hunyuan",
	Quirks: []string{
		"Markers may have the suffix :6124c78e or none in place of :opensource, also those of the reasoning.",
		"A call may be outside <tool_calls:opensource> (tolerance missing_opener).",
		quirkValue, quirkNoValue,
	},
	Reasoning: []Reasoning{
		{Open: "<think:opensource>", Close: "</think:opensource>", Anywhere: true},
		{Open: "<think:6124c78e>", Close: "</think:6124c78e>", Anywhere: true},
		{Open: "<think>", Close: "</think>", Anywhere: true},
	},
	Results: Results{
		Turn:   Pair{"<tool_responses:opensource>\n", "\n</tool_responses:opensource>"},
		Result: Pair{"<tool_response:opensource>\n", "\n</tool_response:opensource>"}, Between: "\n",
	},
	Show: showHy3,
	Ends: Ends{Turn: "<｜hy_eos:opensource｜>"},
	Example: "<tool_calls:opensource>\n<tool_call:opensource>get_weather<tool_sep:opensource>\n<arg_key:opensource>city</arg_key:opensource>\n" +
		"<arg_value:opensource>Oslo</arg_value:opensource>\n</tool_call:opensource>\n</tool_calls:opensource>",
}).setForms(hunyuanForms("\n", "tool_sep")...)

var hunyuanV4 = derived(hunyuanV3, func(d *Dialect) {
	d.Name, d.Aliases = "hy_v4", []string{"hy4", "hyv4", "hunyuan_v4"}
	d.About, d.Source = "Tencent Hy4", "vLLM hy_v4, SGLang hunyuan (Hy4)"
	d.Quirks = append([]string{"Markers may have the suffix :6124c78e or none in place of :opensource."}, d.Quirks[1:]...)
	d.setForms(hunyuanForms("", "")...)
	d.Results, d.Show, d.Ends = Results{}, Show{}, Ends{}
	d.Example = strings.NewReplacer("<tool_sep:opensource>", "", "\n", "").Replace(d.Example)
})

var xing4 = row(keyed, Dialect{
	Name:    "xing4",
	Aliases: []string{"xing4.0", "xing-4.0", "xing4_0", "telechat4", "xingchen4"},
	About:   "Xing 4.0, TeleChat 4: as glm47, with other tags around keys and values",
	Source:  "ms-swift's xing4_0, after the model's chat template; TensorRT-LLM telechat4",
	Quirks:  []string{quirkValue, quirkNoValue},
	Frame:   glm47.Frame,
	Head:    glm47.Head,
	Args: Args{
		Form: ArgsPairs, KeyMark: Pair{"<param_key>", "</param_key>"}, ValueMark: Pair{"<param_value>", "</param_value>"},
	},
	Noise:   []string{"<_end>", "<_user>", "<_bot>", "<_observation>"},
	Show:    showXing4,
	Results: Results{Role: "observation", Result: Pair{"<tool_response>", "</tool_response>"}},
	Ends:    Ends{Turn: "<_end>", Stop: []string{"<_observation>", "<_user>", "<tool_response>"}},
	Example: "<tool_call>get_weather<param_key>city</param_key><param_value>Oslo</param_value></tool_call>",
})

var k2HorizonFrame = Frame{
	Section: Pair{"<ifm|tool_calls>\n", "\n</ifm|tool_calls>"},
	Call:    Pair{"<ifm|tool_call>", "</ifm|tool_call>"}, Between: "\n",
}

var k2Horizon = row(keyed, Dialect{
	Name:    "k2_horizon",
	Aliases: []string{"k2-horizon", "k2v3", "k2_v3"},
	About:   "IFM K2 Horizon, whose template has a switch for the form of a call",
	Source:  "the model's chat template; vLLM k2_horizon, SGLang k2_horizon, llama.cpp K2 Horizon",
	Quirks: []string{
		"A switch of the template makes the call one JSON object, or puts the type of each value between key and value.",
		"The line feeds after the name, keys and values may be missing.",
		"A call may be outside <ifm|tool_calls> (tolerance missing_opener).",
		quirkValue, quirkNoValue,
	},
	Reasoning: []Reasoning{
		{Open: "<ifm|think>", Close: "</ifm|think>", Anywhere: true},
		{Open: "<ifm|think_fast>", Close: "</ifm|think_fast>", Anywhere: true},
		{Open: "<ifm|think_faster>", Close: "</ifm|think_faster>", Anywhere: true},
	},
	Frame: k2HorizonFrame,
	Head:  Head{Form: HeadLiteral, End: "\n"},
	Args: Args{
		Form: ArgsPairs, KeyMark: Pair{"<ifm|arg_key>", "</ifm|arg_key>\n"}, TypeMark: Pair{"<ifm|arg_type>", "</ifm|arg_type>\n"},
		ValueMark: Pair{"<ifm|arg_value>", "</ifm|arg_value>\n"},
	},
	Also: []Form{{
		Frame: k2HorizonFrame, Head: Head{Form: HeadEnvelope, Name: []string{"name"}}, Args: Args{Form: ArgsJSON, Keys: []string{"arguments", "parameters"}},
	}},
	Results: rawResults("tool"),
	Show:    showK2Horizon,
	Written: Written{Keeps: KeepsAll, Begun: "<ifm|think>\n", Reasoning: Pair{"<ifm|think>\n", "</ifm|think>"}},
	Ends:    Ends{Turn: "<|ifm|im_end|>"},
	Example: "<ifm|tool_calls>\n<ifm|tool_call>get_weather\n<ifm|arg_key>city</ifm|arg_key>\n<ifm|arg_value>Oslo</ifm|arg_value>\n</ifm|tool_call>\n</ifm|tool_calls>",
})

var solarOpen2 = row(keyed, Dialect{
	Name:      "solar_open2",
	Aliases:   []string{"solar-open2", "solar_open_2"},
	About:     "Upstage Solar Open 2",
	Source:    "vLLM solar_open2, SGLang solar_open2",
	Quirks:    []string{"Keys without a value are read as in glm45. A value without a closing marker ends at the next argument or call.", "Of an argument that is given twice, the first counts."},
	Reasoning: []Reasoning{{Open: "<|think:start|>", Close: "<|think:end|>", Anywhere: true}},
	Frame:     Frame{Call: Pair{"<|tool_call:start|>", "<|tool_call:end|>"}, Between: "\n"},
	Head:      Head{Form: HeadLiteral, End: "\n"},
	Args:      Args{Form: ArgsPairs, KeyMark: Pair{"<|tool_arg:start|>", "<|tool_arg:value|>"}, ValueMark: Pair{"", "<|tool_arg:end|>\n"}, Marked: true},
	Show:      showSolarOpen2,
	Results:   Results{Role: "tool", Result: Pair{"<|tool_response:start|>", "<|tool_response:end|>"}, Between: "\n"},
	Written:   Written{Begun: "<|think:start|>"},
	Ends:      Ends{Turn: "<|im:end|>"},
	Example:   "<|tool_call:start|>get_weather\n<|tool_arg:start|>city<|tool_arg:value|>Oslo<|tool_arg:end|>\n<|tool_call:end|>",
})
