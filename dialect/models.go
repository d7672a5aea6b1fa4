package dialect

import (
	"path"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/lex"
)

// model maps ids of models to the dialect that they write.
type model struct {
	pattern string // for path.Match, against the results of modelNames
	dialect string // "": no dialect is known
}

// callsNatively is the dialect of models that are only available with native tool calls.
const callsNatively = "api_tool_call"

// models lists well-known models. The first pattern that matches counts; therefore models
// tuned on the weights of others precede those. Sources, unless a row says otherwise: the
// models' cards and chat templates, and the recipes of vLLM, SGLang, llama.cpp and Ollama.
// An unknown model is better than a wrong entry.
var models = []model{
	{"gpt-oss*", "openai"},
	{"chatgpt*", callsNatively},
	{"gpt3.5*", callsNatively},
	{"gpt[45]*", callsNatively},
	{"o[134]", callsNatively},
	{"o[134]-*", callsNatively},
	{"codex-mini*", callsNatively},
	{"claude*", callsNatively},
	{"*anthropic.claude*", callsNatively},
	{"gemini-distill*", ""},
	{"gemini-*", callsNatively},
	{"gemini[1-9]*", callsNatively},
	{"grok*", callsNatively},
	{"kimi-latest*", callsNatively},
	{"moonshot-v1*", callsNatively},
	{"glm4-plus*", callsNatively},
	{"glm4-air*", callsNatively},
	{"glm4-flash*", callsNatively},
	{"gpt-realtime*", callsNatively},
	{"gpt-audio*", callsNatively},
	{"computer-use-preview*", callsNatively},
	{"*amazon.nova-*", callsNatively},
	{"nova-*", callsNatively},
	{"nova[2-9]*", callsNatively},
	{"qwen-max*", callsNatively},
	{"qwen-plus*", callsNatively},
	{"qwen-turbo*", callsNatively},
	{"qwen3-max*", callsNatively},
	{"qwen-flash*", callsNatively},
	{"mistral-medium*", callsNatively},
	{"doubao*", callsNatively},
	{"hunyuan-t1*", callsNatively},
	{"hunyuan-turbo*", callsNatively},
	{"ernie-x1*", callsNatively},
	{"ernie5*", callsNatively},
	{"kat-coder-pro*", callsNatively},
	{"mercury*", callsNatively},
	{"palmyra*", callsNatively},
	{"solar-pro[2-9]*", callsNatively},

	// Tuned on the weights of others.
	{"*openhermes*", ""},
	{"*dolphin*", ""},
	{"*openorca*", ""},
	{"athene-v2-agent*", ""},
	{"athene-v2*", "hermes"},       // on Qwen2.5, whose template it and Ollama's copy have
	{"arch-function*", "hermes"},   // on Qwen2.5; its card teaches <tool_call>
	{"arch-agent*", "hermes"},      // likewise, as the Berkeley leaderboard (bfcl-eval, arch.py) prompts it
	{"intellect3*", "qwen3_coder"}, // by its card
	{"jan-nano*", "hermes"},        // on Qwen3, as the next two are; Ollama's copy has its template
	{"jan-v1*", "hermes"},
	{"nemotron-orchestrator*", "hermes"},
	{"k2-think-v[2-9]*", ""},     // on K2-V2, whose calls are not known
	{"k2-think*", "hermes"},      // on Qwen2.5
	{"a.x4*", "hermes"},          // by its card
	{"hammer2.1*", "xlam"},       // a list in a fence: bfcl-eval, hammer.py
	{"pelican1.0-vl*", "hermes"}, // bfcl-eval, pelican_vl_fc.py
	{"falcon3*", "hermes"},       // llama.cpp's docs/function-calling.md; bfcl-eval, falcon_fc.py
	{"virtuoso*", "hermes"},      // arcee's, on Qwen2.5, as the next two are; llama.cpp's docs/function-calling.md
	{"xwen*", "hermes"},
	{"sky-t1*", "hermes"},
	{"ling*2.0*", "hermes"}, // LLaMA-Factory's bailing_v2, as the next three
	{"ring*2.0*", "hermes"},
	{"ling1t*", "hermes"},
	{"ring1t*", "hermes"},
	{"youtu-llm*", "hermes"}, // ms-swift's youtu
	{"*functionary-*v2.[24]*", "functionary_v22"},
	{"*functionary-*v3.1*", "functionary_v31"},
	{"*functionary-*v3.[02]*", "functionary_v32"},
	{"*firefunction-v2*", "firefunction"},
	{"*xlam*", "xlam"},
	{"*toolace*", "pythonic"},
	{"*watt-tool*", "pythonic"},
	{"llama3-groq*tool-use*", "hermes"},
	{"hermes[2-4]*", "hermes2pro"},
	{"*-hermes[2-4]*", "hermes2pro"},
	{"*deephermes*", "hermes"},
	{"deepseek-r1*", "deepseek_v3"},
	{"cogito-v2-preview-llama*", "hermes"},
	{"cogito*v2*", "deepseek_v3"},
	{"cogito2*", "deepseek_v3"},
	{"cogito", "hermes"},
	{"*cogito*", "hermes"},
	{"*llama3.3-nemotron-super*", "nemotron_super"},
	{"*nemotron-nano*-v2*", "nemotron_json"},
	{"*nemotron-h*", "nemotron_json"},
	{"nemotron-mini*", "nemotron_mini"},
	{"llama3.1-nemotron70b*", "llama3_json"},
	{"nemotron:70b*", "llama3_json"},
	{"*llama3.[13]-nemotron*", "nemotron_json"},
	{"*nemotron3-*", "nemotron3"},
	{"*nemotron3.5-*", "nemotron3"},
	{"hyperclovax-seed-think*", "hyperclovax_seed_think"},
	{"tongyi-deepresearch*", "hermes"},
	{"openhands-lm*", "openhands"},
	{"ui-tars*", "qwen3_coder"},
	{"ornith*", "qwen3_coder"},
	{"nanbeige4*", "qwen3_coder"},
	{"iquest-q1*", "iquest_q1"},
	{"iquest-coder*", "qwen3_coder"},

	{"qwen3-coder*", "qwen3_coder"},
	{"qwen3.5*", "qwen35"},
	{"qwen3.[6-9]*", "qwen36"},
	{"qwen3", "hermes"},
	{"qwen3-*", "hermes"},
	{"qwen3:*", "hermes"},
	{"qwen2*", "hermes"},
	{"qwq*", "hermes"},
	{"smollm3*", "smollm3"},
	{"smollm2*", "hermes"},
	{"reka-edge*", "hermes"},
	{"rnj1*", "hermes"},
	{"exaone4*", "exaone4"},
	{"k-exaone2-*", "qwen3_coder"},
	{"k-exaone*", "k_exaone"},
	{"falcon-h1*", "hermes"},
	{"*bielik*v3*", "bielik"},
	{"*bielik*", "hermes"},
	{"mimo-vl*", "hermes"},
	{"mimo-v2*", "qwen3_coder"},

	{"glm4.[56]*", "glm45"},
	{"glm4-*0414*", "glm4_0414"},
	{"glm-z1-*0414*", "glm4_0414"},
	{"glm4-9b*", "glm4_0414"},
	{"glm4:9b*", "glm4_0414"},
	{"xing4*", "xing4"},
	{"glm4.7*", "glm47"},
	{"glm5.3-flash*", "glm53_flash"},
	{"glm5*", "glm5"},
	{"ling3*", "ling3"},
	{"ring3*", "ling3"},
	{"spark2.5*", "spark25"},
	{"laguna-s2.1*", "laguna_s21"},
	{"laguna*", "poolside_v1"},

	{"deepseek-v4.1*", "deepseek_v41"},
	{"deepseek-v4*", "deepseek_v4"},
	{"deepseek-v3.2-exp*", "deepseek_v31"}, // it has the template of V3.1
	{"deepseek-v3.2*", "deepseek_v32"},
	{"deepseek-v3-2-*", "deepseek_v32"},
	{"deepseek-v3.1*", "deepseek_v31"},
	{"deepseek-v3-1-*", "deepseek_v31"},
	{"deepseek-v3*", "deepseek_v3"},
	{"deepseek-v2.5*", "deepseek_v3"},
	{"*deepseek.[rv]*", "deepseek_v3"},
	{"deepseek-chat-v3.1*", "deepseek_v31"},
	{"deepseek-chat-v3-*", "deepseek_v3"},
	{"deepseek-chat*", "deepseek_v32"},
	{"deepseek-reasoner*", "deepseek_v32"},

	{"kimi-k3*", "kimi_k3"},
	{"kimi-k2.[56]*", "kimi_k25"},
	{"kimi-k2*", "kimi_k2"},
	{"kimi-linear*", "kimi_k2"},
	{"minimax-m3*", "minimax_m3"},
	{"minimax-m2*", "minimax_m2"},
	{"minimax-m1*", "minimax"},
	{"llm-jp4*", "llm_jp_harmony"},
	{"muse-*", "muse"},
	{"glimmer*", "muse"},
	{"inkling*", "inkling"},

	{"granite20b-functioncalling*", "granite-20b-fc"},
	{"granite4*", "granite4"},
	{"granite3*", "granite"},
	{"phi4-mini*", "phi4_mini_json"},
	{"phi4-multimodal*", "phi4_mini_json"},
	{"*jamba*", "jamba"},
	{"internlm[23]*", "internlm"},
	{"intern-s1*", "internlm"},
	{"hunyuan-a13b*", "hunyuan_a13b"},
	{"hunyuan[47]b*", "hunyuan_dense"},
	{"hunyuan0.5b*", "hunyuan_dense"},
	{"hunyuan1.8b*", "hunyuan_dense"},
	{"hy3*", "hy_v3"},
	{"hy4*", "hy_v4"},
	{"step3.[5-9]*", "step3p5"},
	{"step5*", "step3p5"},
	{"step3*", "step3"},
	{"seed-oss*", "seed_oss"},
	{"olmo3*", "olmo3"},
	{"ernie4.5*", "ernie45"},
	{"gigachat3.5*", "gigachat35"},
	{"gigachat3.1*", "gigachat31"},
	{"gigachat*", "gigachat3"},
	{"longcat*", "longcat"},
	{"functiongemma*", "functiongemma"},
	{"gemma4*", "gemma4"},
	{"gemma[23]*", "tool_code"},
	{"lfm2.5*", "lfm25"},
	{"lfm2*", "lfm2"},
	{"apertus*", "apertus"},
	{"*command-r7b*", "cohere_command3"},
	{"*command-r*", "command_r_plus"},
	{"command-a-plus*", "cohere_command4"},
	{"*command-a*", "cohere_command3"},
	{"north-*", "cohere_command4"},
	{"minicpm5*", "minicpm5"},
	{"minicpm[34]*", "minicpm3"},
	{"solar-open2*", "solar_open2"},
	{"solar-open*", "solar_open"},
	{"sarashina2.2*", "sarashina"},
	{"beam[0-9]*", "beam"},
	{"plamo3*", "plamo3"},
	{"cwm*", "cwm"},
	{"dots*", "dots"},
	{"*pangu*", "pangu"},
	{"rwkv*", "rwkv"},
	{"k2-horizon*", "k2_horizon"},
	{"apriel1.5*", "apriel15"},
	{"apriel*", "apriel"},
	{"trinity*", "trinity"},

	{"*llama4*", "llama4_json"},
	{"llama3.[123]*", "llama3_json"},
	{"*llama3[.\\-][123]-*", "llama3_json"},
	{"*llama-v3.[123]-*", "llama3_json"},
	{"*mistral-small3.2*", "mistral_v11"},
	{"*mistral-small3.1*", "mistral_v7"},
	{"*mistral-small4*", "mistral"},
	{"*mistral-small-*2506*", "mistral_v11"},
	{"*mistral-small*", "mistral_v3"},
	{"mistral-large", "mistral_v3"}, // Ollama's, Large 2
	{"mistral-large:*", "mistral_v3"},
	{"*mistral-large*2407*", "mistral_v3"},
	{"*mistral-large*2411*", "mistral_v3"},
	{"*mistral-nemo*", "mistral_v3"},
	{"*mistral*7b*", "mistral_7b"},
	{"mistral:*", "mistral_7b"}, // Ollama's, 7B v0.3
	{"*mistral*", "mistral"},
	{"*mixtral*", "mistral_v3"},
	{"ministral8b*", "mistral_v3"}, // of 2024; the third generation writes name[ARGS]{..}
	{"ministral3b*", "mistral_v3"},
	{"*ministral*", "mistral"},
	{"*magistral*", "mistral"},
	{"*devstral*", "mistral"},
	{"codestral*", "mistral_v3"},
	{"pixtral*", "mistral_v3"},
	{"voxtral*", "mistral"},
}

// ForModel returns the dialect that a model writes. id is the model's id or file name as
// hubs and servers write it: "Qwen/Qwen3-Coder-30B-A3B-Instruct", "gpt-oss:20b",
// "Qwen2.5-7B-Instruct-Q4_K_M.gguf". Names and aliases of dialects also work. For a model
// that is only available with native tool calls, such as GPT-5 or Claude, it returns the
// dialect in which text is only text; see [Dialect.Native]. It returns false for an unknown
// model.
func ForModel(id string) (*Dialect, bool) {
	names := modelNames(id)
	for _, m := range models {
		if m.pattern == names[0] { // a dialect may have the same name
			return byName(m.dialect), true
		}
	}
	if d := byName(strings.ToLower(strings.TrimSpace(id))); d != nil {
		return d, true
	}
	for _, name := range names {
		for _, m := range models {
			if ok, _ := path.Match(m.pattern, name); ok {
				d := byName(m.dialect)
				return d, d != nil
			}
		}
	}
	return nil, false
}

// modelNames returns the names to look up for a model's id: without directories and
// organisations, in lower case, with a single spelling of versions; then also without a tag
// after a colon, or without an organisation before an underscore or a dot.
func modelNames(id string) []string {
	id = strings.ToLower(strings.TrimSpace(id))
	if _, repository, ok := strings.Cut(id, "models--"); ok { // the cache of Hugging Face
		id, _, _ = strings.Cut(repository, "/")
		id = strings.ReplaceAll(id, "--", "/")
	}
	id = id[strings.LastIndexAny(id, `/\`)+1:]
	id = strings.TrimSuffix(id, ".gguf")
	names := []string{modelName(id)}
	if base, _, tagged := strings.Cut(id, ":"); tagged {
		names = append(names, modelName(base))
	}
	for _, mark := range []string{"_", "."} { // Qwen_Qwen3-8B, unsloth.Qwen3-8B
		if org, rest, ok := strings.Cut(id, mark); ok && !strings.ContainsAny(org, "0123456789") {
			names = append(names, modelName(rest))
		}
	}
	return slices.Compact(names)
}

// modelName normalises a name for the patterns of models: 3_1 and 3p1 get a dot, other
// underscores and blanks become hyphens, and the hyphen between a letter and a number is
// removed.
func modelName(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		number := i+1 < len(name) && lex.IsDigits(name[i+1:i+2])
		switch {
		case (c == '_' || c == 'p') && number && i > 0 && lex.IsDigits(name[i-1:i]):
			c = '.'
		case c == '_', c == ' ', c == '-':
			if number && i > 0 && lex.IsLetter(name[i-1]) {
				continue
			}
			c = '-'
		}
		b.WriteByte(c)
	}
	return b.String()
}

// ModelPatterns returns the patterns of the model ids that [ForModel] maps to d, in the
// syntax of path.Match. They match ids in lower case, without the organisation, and without
// a hyphen between a letter and a number.
func ModelPatterns(d *Dialect) []string {
	var list []string
	for _, m := range models {
		if m.dialect == d.Name {
			list = append(list, m.pattern)
		}
	}
	return list
}
