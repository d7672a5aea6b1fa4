package dialect

import (
	"path"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/lex"
)

// A modelRow maps the ids of models to the dialect that they write.
type modelRow struct {
	dialect  string // "": no dialect is known
	patterns string // separated by blanks, for path.Match against the results of modelNames
}

// callsNatively is the dialect of models that are only available with native tool calls.
const callsNatively = "api_tool_call"

// modelTable lists well-known models. The first pattern that matches counts; therefore models
// tuned on the weights of others precede those. Sources, unless a row says otherwise: the
// models' cards and chat templates, and the recipes of vLLM, SGLang, llama.cpp and Ollama.
// An unknown model is better than a wrong entry.
var modelTable = []modelRow{
	{"openai", `gpt-oss*`},
	{callsNatively, `chatgpt* gpt3.5* gpt[45]* o[134] o[134]-* codex-mini* claude* *anthropic.claude*`},
	{"", `gemini-distill*`},
	{callsNatively, `gemini-* gemini[1-9]* grok* kimi-latest* moonshot-v1* glm4-plus* glm4-air* glm4-flash*
		gpt-realtime* gpt-audio* computer-use-preview* *amazon.nova-* nova-* nova[2-9]* qwen-max* qwen-plus*
		qwen-turbo* qwen3-max* qwen-flash* mistral-medium* doubao* hunyuan-t1* hunyuan-turbo* ernie-x1* ernie5*
		kat-coder-pro* mercury* palmyra* solar-pro[2-9]*`},

	// Tuned on the weights of others.
	{"", `*openhermes* *dolphin* *openorca* athene-v2-agent*`},
	{"hermes", `athene-v2*`},       // on Qwen2.5, whose template it and Ollama's copy have
	{"hermes", `arch-function*`},   // on Qwen2.5; its card teaches <tool_call>
	{"hermes", `arch-agent*`},      // likewise, as the Berkeley leaderboard (bfcl-eval, arch.py) prompts it
	{"qwen3_coder", `intellect3*`}, // by its card
	{"hermes", `jan-nano*`},        // on Qwen3, as the next two are; Ollama's copy has its template
	{"hermes", `jan-v1* nemotron-orchestrator*`},
	{"", `k2-think-v[2-9]*`},     // on K2-V2, whose calls are not known
	{"hermes", `k2-think*`},      // on Qwen2.5
	{"hermes", `a.x4*`},          // by its card
	{"xlam", `hammer2.1*`},       // a list in a fence: bfcl-eval, hammer.py
	{"hermes", `pelican1.0-vl*`}, // bfcl-eval, pelican_vl_fc.py
	{"hermes", `falcon3*`},       // llama.cpp's docs/function-calling.md; bfcl-eval, falcon_fc.py
	{"hermes", `virtuoso*`},      // arcee's, on Qwen2.5, as the next two are; llama.cpp's docs/function-calling.md
	{"hermes", `xwen* sky-t1*`},
	{"hermes", `ling*2.0*`}, // LLaMA-Factory's bailing_v2, as the next three
	{"hermes", `ring*2.0* ling1t* ring1t*`},
	{"hermes", `youtu-llm*`}, // ms-swift's youtu
	{"functionary_v22", `*functionary-*v2.[24]*`},
	{"functionary_v31", `*functionary-*v3.1*`},
	{"functionary_v32", `*functionary-*v3.[02]*`},
	{"firefunction", `*firefunction-v2*`},
	{"xlam", `*xlam*`},
	{"pythonic", `*toolace* *watt-tool*`},
	{"hermes", `llama3-groq*tool-use*`},
	{"hermes2pro", `hermes[2-4]* *-hermes[2-4]*`},
	{"hermes", `*deephermes*`},
	{"deepseek_v3", `deepseek-r1*`},
	{"hermes", `cogito-v2-preview-llama*`},
	{"deepseek_v3", `cogito*v2* cogito2*`},
	{"hermes", `cogito *cogito*`},
	{"nemotron_super", `*llama3.3-nemotron-super*`},
	{"nemotron_json", `*nemotron-nano*-v2* *nemotron-h*`},
	{"nemotron_mini", `nemotron-mini*`},
	{"llama3_json", `llama3.1-nemotron70b* nemotron:70b*`},
	{"nemotron_json", `*llama3.[13]-nemotron*`},
	{"gemma4", `*nemotron3.5-bolt-e4b*`}, // rapid-mlx's aliases.json
	{"nemotron3", `*nemotron3-* *nemotron3.5-*`},
	{"hyperclovax_14b", `hyperclovax-seed-think14b*`},
	{"hyperclovax_seed_think", `hyperclovax-seed-think*`},
	{"mirothinker", `mirothinker*`},
	{"hermes", `tongyi-deepresearch*`},
	{"openhands", `openhands-lm*`},
	{"ui_tars", `ui-tars*`},
	{"qwen3_coder", `ornith* nanbeige4*`},
	{"iquest_q1", `iquest-q1*`},
	{"qwen3_coder", `iquest-coder*`},

	{"qwen3_coder", `qwen3-coder*`},
	{"qwen35", `qwen3.5*`},
	{"qwen35", `intern-s2*`},    // on Qwen3.5, as lmdeploy's interns2-preview reads it
	{"qwen35", `minicpm-v4.7*`}, // likewise; rapid-mlx's model_auto_config.py, as the next three
	{"qwen35", `*bonsai2-*`},
	{"hermes", `*bonsai8b*`},
	{"qwen35", `*qwopus3.5*`},
	{"qwen36", `qwen3.[6-9]*`},
	{"hermes", `qwen3 qwen3-* qwen3:* qwen2* qwq*`},
	{"smollm3", `smollm3*`},
	{"hermes", `smollm2* reka-edge* rnj1*`},
	{"exaone4", `exaone4*`},
	{"qwen3_coder", `k-exaone2-*`},
	{"k_exaone", `k-exaone*`},
	{"hermes", `falcon-h1*`},
	{"bielik", `*bielik*v3*`},
	{"hermes", `*bielik* mimo-vl*`},
	{"qwen3_coder", `mimo-v2*`},

	{"glm45", `glm4.[56]*`},
	{"glm4_0414", `glm4-*0414* glm-z1-*0414* glm4-9b* glm4:9b*`},
	{"xing4", `xing4* telechat4*`},
	{"glm47", `glm4.7*`},
	{"glm5", `glm5*`}, // 5.3 Flash too: its own template, ms-swift's glm5_1 and rapid-mlx's glm47
	{"ling3", `ling3* ring3*`},
	{"spark25", `spark2.5* spark-x2.[56]*`}, // XHToken/Spark-X2.5: ms-swift's spark2_5; 2.6: rapid-mlx's glm47
	{"laguna_s21", `laguna-s2.1*`},
	{"poolside_v1", `laguna*`},

	{"deepseek_v41", `deepseek-v4.1*`},
	{"deepseek_v4", `deepseek-v4*`},
	{"deepseek_v31", `deepseek-v3.2-exp*`}, // it has the template of V3.1
	{"deepseek_v32", `deepseek-v3.2* deepseek-v3-2-*`},
	{"deepseek_v31", `deepseek-v3.1* deepseek-v3-1-*`},
	{"deepseek_v3", `deepseek-v3* deepseek-v2.5* *deepseek.[rv]*`},
	{"deepseek_v31", `deepseek-chat-v3.1*`},
	{"deepseek_v3", `deepseek-chat-v3-*`},
	{"deepseek_v32", `deepseek-chat* deepseek-reasoner*`},

	{"kimi_k3", `kimi-k3*`},
	{"kimi_k25", `kimi-k2.[567]*`},
	{"kimi_k2", `kimi-k2* kimi-linear*`},
	{"minimax_m3", `minimax-m3*`},
	{"minimax_m2", `minimax-m2*`},
	{"minimax", `minimax-m1*`},
	{"llm_jp_harmony", `llm-jp4*`},
	{"muse", `muse-* glimmer*`},
	{"inkling", `inkling*`},

	{"granite-20b-fc", `granite20b-functioncalling*`},
	{"nemotron3", `granite4.2*`}, // vLLM's granite_thinking: the form of Nemotron 3
	{"granite4", `granite4*`},
	{"granite", `granite3*`},
	{"phi4_mini_json", `phi4-mini* phi4-multimodal*`},
	{"jamba", `*jamba*`},
	{"internlm", `internlm[23]* intern-s1*`},
	{"hunyuan_a13b", `hunyuan-a13b*`},
	{"hunyuan_dense", `hunyuan[47]b* hunyuan0.5b* hunyuan1.8b*`},
	{"hy_v3", `hy3*`},
	{"hy_v4", `hy4*`},
	{"step3p5", `step3.[5-9]* step5*`},
	{"hermes", `step3-vl10b*`}, // on Qwen3; ms-swift's step3_vl
	{"step3", `step3*`},
	{"step_audio2", `step-audio2*`},
	{"seed_oss", `seed-oss*`},
	{"olmo3", `olmo3*`},
	{"ernie45", `ernie4.5*`},
	{"gigachat35", `gigachat3.5*`},
	{"gigachat31", `gigachat3.1*`},
	{"gigachat3", `gigachat*`},
	{"longcat", `longcat*`},
	{"nexus_raven", `nexusraven*`},
	{"functiongemma", `functiongemma*`},
	{"gemma4", `gemma4* diffusiongemma*`},
	{"tool_code", `gemma[23]*`},
	{"lfm25", `lfm2.5*`},
	{"lfm2", `lfm2*`},
	{"apertus", `apertus*`},
	{"cohere_command3", `*command-r7b*`},
	{"command_r_plus", `*command-r*`},
	{"cohere_command4", `command-a-plus*`},
	{"cohere_command3", `*command-a*`},
	{"cohere_command4", `north-*`},
	{"minicpm5", `minicpm5*`},
	{"minicpm3", `minicpm[34]*`},
	{"solar_open2", `solar-open2*`},
	{"solar_open", `solar-open*`},
	{"sarashina", `sarashina2.2*`},
	{"beam", `beam[0-9]*`},
	{"plamo3", `plamo3*`},
	{"cwm", `cwm*`},
	{"dots", `dots*`},
	{"pangu", `*pangu*`},
	{"rwkv", `rwkv*`},
	{"k2_horizon", `k2-horizon*`},
	{"apriel15", `apriel1.5*`},
	{"apriel", `apriel*`},
	{"trinity", `trinity*`},

	{"llama4_json", `*llama4*`},
	{"llama3_json", `llama3.[123]* *llama3[.\-][123]-* *llama-v3.[123]-*`},
	{"mistral_v11", `*mistral-small3.2*`},
	{"mistral_v7", `*mistral-small3.1*`},
	{"mistral", `*mistral-small4*`},
	{"mistral_v11", `*mistral-small-*2506*`},
	{"mistral_v3", `*mistral-small*`},
	{"mistral_v3", `mistral-large`}, // Ollama's, Large 2
	{"mistral_v3", `mistral-large:* *mistral-large*2407* *mistral-large*2411* *mistral-nemo*`},
	{"mistral_7b", `*mistral*7b*`},
	{"mistral_7b", `mistral:*`}, // Ollama's, 7B v0.3
	{"mistral", `*mistral*`},
	{"mistral_v3", `*mixtral*`},
	{"mistral_v3", `ministral8b*`}, // of 2024; the third generation writes name[ARGS]{..}
	{"mistral_v3", `ministral3b*`},
	{"mistral", `*ministral* *magistral* *devstral*`},
	{"mistral_v3", `codestral* pixtral*`},
	{"mistral", `voxtral*`},
}

// patterns yields each pattern of modelTable with its dialect.
func patterns(yield func(pattern, dialect string) bool) {
	for _, row := range modelTable {
		for pattern := range strings.FieldsSeq(row.patterns) {
			if !yield(pattern, row.dialect) {
				return
			}
		}
	}
}

// ForModel returns the dialect that a model writes. id is the model's id or file name as
// hubs and servers write it: "Qwen/Qwen3-Coder-30B-A3B-Instruct", "gpt-oss:20b",
// "Qwen2.5-7B-Instruct-Q4_K_M.gguf". Names and aliases of dialects also work. For a model
// that is only available with native tool calls, such as GPT-5 or Claude, it returns the
// dialect in which text is only text; see [Dialect.Native]. It returns false for an unknown
// model.
func ForModel(id string) (*Dialect, bool) {
	names := modelNames(id)
	for pattern, dialect := range patterns {
		if pattern == names[0] { // a dialect may have the same name
			return byName(dialect), true
		}
	}
	if d := byName(strings.ToLower(strings.TrimSpace(id))); d != nil {
		return d, true
	}
	for _, name := range names {
		for pattern, dialect := range patterns {
			if ok, _ := path.Match(pattern, name); ok {
				d := byName(dialect)
				return d, d != nil
			}
		}
	}
	return nil, false
}

// reasoners are the models whose own template begins each answer inside reasoning, although
// that of other models of their dialect does not: patterns as in modelTable. One with ! says
// which of them do not.
var reasoners = strings.Fields(`qwen3*thinking* qwq* !deepseek-r1-0528* deepseek-r1* glm-z1* step3 step3-*`)

// BegunBy returns what the template of a model begins its answers with, if its dialect does
// not say so: the opener of reasoning, or "".
func BegunBy(id string) string {
	for _, name := range modelNames(id) {
		for _, pattern := range reasoners {
			pattern, excluded := strings.CutPrefix(pattern, "!")
			if ok, _ := path.Match(pattern, name); !ok {
				continue
			}
			if excluded {
				return ""
			}
			return "<think>\n"
		}
	}
	return ""
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
	for pattern, dialect := range patterns {
		if dialect == d.Name {
			list = append(list, pattern)
		}
	}
	return list
}
