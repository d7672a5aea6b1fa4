package dialect

import (
	"path"
	"strings"
	"testing"
)

// TestModels checks that every pattern is valid, occurs once, and names a dialect that exists.
func TestModels(t *testing.T) {
	seen := map[string]bool{}
	for pattern, dialect := range patterns {
		if dialect != "" && byName(dialect) == nil {
			t.Errorf("%s: there is no dialect %q", pattern, dialect)
		}
		if _, err := path.Match(pattern, "x"); err != nil {
			t.Errorf("%s: %v", pattern, err)
		}
		if seen[pattern] {
			t.Errorf("the table has %s twice", pattern)
		}
		seen[pattern] = true
	}
}

// modelIDs are ids of models as hubs, servers and files write them, by the dialect of the
// model; "" if no dialect is known.
var modelIDs = map[string][]string{
	"hermes": {"tiiuae/Falcon3-10B-Instruct", "falcon3:7b", "X-Humanoid/Pelican1.0-VL-30B-A3B", "arcee-ai/Virtuoso-Small-v2", "xwen-team/Xwen-72B-Chat",
		"NovaSky-AI/Sky-T1-32B-Preview", "inclusionAI/Ling-mini-2.0", "inclusionAI/Ling-flash-2.0", "inclusionAI/Ring-mini-2.0", "inclusionAI/Ling-1T", "inclusionAI/Ring-1T",
		"tencent/Youtu-LLM-2B", "stepfun-ai/Step3-VL-10B", "prism-ml/Ternary-Bonsai-8B-mlx-2bit", "~/.cache/huggingface/hub/models--Qwen--Qwen3-8B/snapshots/b968826d9c46dd6066d109eabc6255188de91218", "models--unsloth--Qwen3-8B-GGUF", "katanemo/Arch-Agent-7B", "Menlo/Jan-nano", "janhq/Jan-v1-4B", "nvidia/Nemotron-Orchestrator-8B", "LLM360/K2-Think", "skt/A.X-4.0", "athene-v2:72b", "katanemo/Arch-Function-7B",
		"Qwen/Qwen3-32B", "Qwen/Qwen3-0.6B", "Qwen/Qwen3-235B-A22B-Instruct-2507", "Qwen/Qwen3-30B-A3B-Thinking-2507-FP8", "Qwen/Qwen3-8B-AWQ",
		"Qwen/Qwen3-Next-80B-A3B-Instruct", "Qwen/Qwen3-VL-8B-Instruct", "Qwen/Qwen3-Omni-30B-A3B-Instruct", "Qwen/Qwen3-4B-GGUF",
		"qwen3", "qwen3:8b", "qwen3:30b-a3b", "qwen3:latest", "qwen3-vl:8b", "qwen/qwen3-32b", "qwen-3-235b-a22b-instruct-2507", "qwen.qwen3-32b-v1:0",
		"unsloth/Qwen3-14B-unsloth-bnb-4bit", "unsloth/Qwen3-14B-GGUF", "mlx-community/Qwen3-8B-4bit", "lmstudio-community/Qwen3-8B-GGUF",
		"bartowski/Qwen_Qwen3-8B-GGUF", "Qwen_Qwen3-8B-Q6_K_L.gguf", "Qwen3-30B-A3B-Q4_K_M.gguf", "Qwen3-14B-Claude-4.5-Opus-High-Reasoning-Distill",
		"Qwen/Qwen2.5-7B-Instruct", "Qwen/Qwen2.5-72B-Instruct-GPTQ-Int4", "Qwen/Qwen2.5-Coder-32B-Instruct", "Qwen/Qwen2.5-VL-7B-Instruct", "Qwen/Qwen2-7B-Instruct",
		"qwen2.5:7b", "qwen2.5", "qwen2.5:14b-instruct-q4_K_M", "qwen2.5-coder:32b", "qwen2.5vl:7b", "qwen2:7b", "Qwen2.5-7B-Instruct-Q4_K_M.gguf",
		"/models/Qwen2.5-7B-Instruct-Q4_K_M.gguf", `C:\models\qwen2.5-7b-instruct-q4_k_m.gguf`, "accounts/fireworks/models/qwen2p5-72b-instruct",
		"Qwen/Qwen2.5-72B-Instruct-Turbo", "unsloth/Qwen2.5-7B-Instruct-bnb-4bit", "qwen2_5-7b-instruct",
		"Qwen/QwQ-32B", "Qwen/QwQ-32B-Preview", "qwq", "qwq:32b", "QwQ-32B-Q4_K_M.gguf", "Alibaba-NLP/Tongyi-DeepResearch-30B-A3B", "NousResearch/DeepHermes-3-Llama-3-8B-Preview",
		"Groq/Llama-3-Groq-8B-Tool-Use", "llama3-groq-tool-use:8b",
		"HuggingFaceTB/SmolLM2-1.7B-Instruct", "smollm2:1.7b", "RekaAI/reka-edge-2603", "EssentialAI/rnj-1-instruct",
		"tiiuae/Falcon-H1-34B-Instruct", "tiiuae/Falcon-H1-0.5B-Instruct-GGUF", "falcon-h1", "speakleash/Bielik-11B-v2.6-Instruct",
		"SpeakLeash/bielik-11b-v2.3-instruct:Q4_K_M", "XiaomiMiMo/MiMo-VL-7B-RL",
		"deepcogito/cogito-v1-preview-qwen-32B", "deepcogito/cogito-v1-preview-llama-8B", "cogito:8b", "cogito", "deepcogito/cogito-v2-preview-llama-70B",
	},
	"qwen3_coder": {"PrimeIntellect/INTELLECT-3", "Qwen/Qwen3-Coder-30B", "Qwen/Qwen3-Coder-480B-A35B-Instruct", "Qwen/Qwen3-Coder-30B-A3B-Instruct-FP8", "Qwen/Qwen3-Coder-Next", "qwen3-coder", "qwen3-coder:30b",
		"qwen3-coder:480b-cloud", "qwen/qwen3-coder-30b", "qwen/qwen3-coder:free", "qwen3-coder-plus", "unsloth/Qwen3-Coder-30B-A3B-Instruct-GGUF",
		"Qwen3-Coder-30B-A3B-Instruct-Q4_K_M.gguf", "qwen-3-coder-480b", "cpatonn/Qwen3-Coder-30B-A3B-Instruct-AWQ-4bit",
		"XiaomiMiMo/MiMo-V2-Flash", "IQuestLab/IQuest-Coder-V1-40B-Instruct",
		"LGAI-EXAONE/K-EXAONE-2-236B", "ornith:9b", "Nanbeige/Nanbeige4-3B-Thinking-2511",
	},
	"openai": {
		"openai/gpt-oss-20b", "openai/gpt-oss-120b", "gpt-oss:20b", "gpt-oss:120b-cloud", "gpt-oss", "gpt-oss-120b", "unsloth/gpt-oss-20b-GGUF", "gpt-oss-20b-mxfp4.gguf",
		"openai/gpt-oss-safeguard-20b", "openai.gpt-oss-120b-1:0", "lmstudio-community/gpt-oss-20b-GGUF", "accounts/fireworks/models/gpt-oss-120b", "openai_gpt-oss-20b-MXFP4.gguf",
	},
	"llama3_json": {
		"meta-llama/Llama-3.1-8B-Instruct", "meta-llama/Meta-Llama-3.1-8B-Instruct", "meta-llama/Meta-Llama-3.1-405B-Instruct-FP8", "meta-llama/Llama-3.2-3B-Instruct",
		"meta-llama/Llama-3.2-11B-Vision-Instruct", "meta-llama/Llama-3.3-70B-Instruct", "llama3.1", "llama3.1:8b", "llama3.1:70b-instruct-q4_0", "llama3.2", "llama3.2:1b",
		"llama3.2-vision:11b", "llama3.3", "llama3.3:70b", "llama-3.3-70b-versatile", "llama-3.1-8b-instant", "llama3.1-8b", "meta-llama/Meta-Llama-3.1-8B-Instruct-Turbo",
		"accounts/fireworks/models/llama-v3p1-70b-instruct", "meta.llama3-1-8b-instruct-v1:0", "us.meta.llama3-3-70b-instruct-v1:0", "meta-llama/llama-3.3-70b-instruct:free",
		"Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf", "unsloth/Llama-3.2-3B-Instruct-bnb-4bit", "bartowski/Llama-3.3-70B-Instruct-GGUF", "hugging-quants/Meta-Llama-3.1-8B-Instruct-AWQ-INT4",
		"nvidia/Llama-3.1-Nemotron-70B-Instruct-HF", "nemotron:70b", "neuralmagic/Meta-Llama-3.1-8B-Instruct-quantized.w4a16",
	},
	"llama4_pythonic": {
		"llama4",
	},
	"mistral_v3": {"mistral-large", "mistral-nemo", "mistral-nemo:12b", "mistral-small", "mistralai/Codestral-22B-v0.1", "mistralai/Ministral-8B-Instruct-2410", "mistralai/Mistral-Nemo-Instruct-2407", "mistralai/Mixtral-8x22B-Instruct-v0.1", "mistralai/Mixtral-8x7B-Instruct-v0.1", "mistralai/Pixtral-12B-2409", "mixtral", "mixtral:8x7b",
		"codestral:22b", "open-mistral-nemo", "open-mixtral-8x22b", "TheBloke/Mixtral-8x7B-Instruct-v0.1-GPTQ", "mistral-large:123b", "mistralai/Mistral-Large-Instruct-2411", "mistralai/Mistral-Large-Instruct-2407", "mistral-small:24b", "pixtral-12b", "ministral-3b-2410", "ministral-8b-latest", "mixtral:8x22b"},
	"qwen35":         {"Qwen/Qwen3.5-4B", "Qwen/Qwen3.5-397B-A17B", "qwen3.5:9b", "qwen3.5", "unsloth/Qwen3.5-9B-GGUF", "internlm/Intern-S2-Preview", "openbmb/MiniCPM-V-4.7-1B", "prism-ml/Ternary-Bonsai-2-9B-mlx-2bit", "Jackrong/MLX-Qwopus3.5-9B-v3-4bit"},
	"gigachat31":     {"ai-sage/GigaChat3.1-10B-A1.8B"},
	"kimi_k25":       {"moonshotai/Kimi-K2.5", "moonshotai/Kimi-K2.7-Code"},
	"nemotron_super": {"nvidia/Llama-3_3-Nemotron-Super-49B-v1_5", "unsloth/Llama-3_3-Nemotron-Super-49B-v1_5-GGUF"},
	"llama4_json":    {"meta-llama/Llama-4-Scout-17B-16E", "meta-llama/Llama-4-Scout-17B-16E-Instruct", "meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8", "llama4:scout", "llama4:16x17b", "meta-llama/llama-4-maverick", "unsloth/Llama-4-Scout-17B-16E-Instruct-GGUF", "meta.llama4-scout-17b-instruct-v1:0", "RedHatAI/Llama-4-Scout-17B-16E-Instruct-FP8-dynamic"},
	"apriel15":       {"unsloth/Apriel-1.5-15b-Thinker-GGUF"},
	"mistral_7b":     {"mistral:7b", "mistral:7b-instruct-v0.3-q4_K_M", "mistral:latest", "mistralai/Mistral-7B-Instruct-v0.3", "mistral.mistral-7b-instruct-v0:2", "unsloth/mistral-7b-instruct-v0.3-bnb-4bit"},
	"mistral_v7":     {"mistral-small3.1:24b"},
	"smollm3":        {"HuggingFaceTB/SmolLM3-3B", "smollm3"},
	"exaone4":        {"LGAI-EXAONE/EXAONE-4.0-32B", "LGAI-EXAONE/EXAONE-4.0-1.2B-GGUF", "LGAI-EXAONE/EXAONE-4.0.1-32B", "EXAONE-4", "exaone4"},
	"k_exaone":       {"LGAI-EXAONE/K-EXAONE-236B-A23B"},
	"bielik":         {"speakleash/Bielik-11B-v3.0-Instruct", "Bielik-4.5B-v3.0-Instruct"},
	"qwen36":         {"Qwen/Qwen3.6-35B-A3B", "qwen3.6:27b", "Qwen/Qwen3.8-Max"},
	"nemotron3":      {"nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", "nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-FP8", "nemotron-3-nano:30b", "nemotron-3.5-nano:30b", "nemotron-3-nano", "nvidia/nemotron-3-nano-30b-a3b:free", "ibm-granite/granite-4.2-8b", "granite4.2:3b", "unsloth/Nemotron-3-Nano-30B-A3B-GGUF"},
	"glm5":           {"zai-org/GLM-5", "zai-org/GLM-5.1-FP8", "glm-5:cloud", "zai-org/GLM-5.3-Flash", "glm-5.3-flash"},
	"hermes2pro":     {"NousResearch/Hermes-3-Llama-3.1-8B", "NousResearch/Hermes-2-Pro-Llama-3-8B", "NousResearch/Hermes-2-Pro-Mistral-7B", "NousResearch/Hermes-4-70B", "NousResearch/Hermes-4.3-36B", "NousResearch/Nous-Hermes-2-Mixtral-8x7B-DPO", "hermes3", "hermes3:8b", "hermes3:70b", "hermes-3-llama-3.1-8b", "Hermes-3-Llama-3.1-8B.Q4_K_M.gguf", "nousresearch/hermes-4-405b", "lmstudio-community/Hermes-3-Llama-3.1-8B-GGUF"},
	"mistral_v11":    {"mistralai/Mistral-Small-3.2-24B", "mistralai/Mistral-Small-3.2-24B-Instruct-2506", "mistralai_Mistral-Small-3.2-24B-Instruct-2506-Q4_K_M.gguf", "mistral-small3.2:24b", "mistral-small-latest-2506"},
	"lfm25":          {"LiquidAI/LFM2.5-1.2B-Instruct", "lfm2.5-thinking:1.2b"},
	"laguna_s21":     {"poolside/Laguna-S-2.1"},
	"mistral": {"mistral-small-4", "mistralai/Mistral-Small-4-119B-2603", "mistralai/Mistral-Large-3-675B-Instruct-2512",

		"mistralai/Ministral-3-14B-Reasoning-2512", "mistralai/Magistral-Small-2506", "mistralai/Devstral-Small-2507", "mistralai/Devstral-2-123B-Instruct-2512",
		"mistralai/Voxtral-Small-24B-2507", "mistral",

		"ministral-3:8b", "magistral", "magistral:24b", "devstral", "devstral:24b", "devstral-small-2:24b", "devstral-2:123b",
		"mistral-large-latest", "mistralai/devstral-small-2505",
		"unsloth/Devstral-Small-2507-GGUF",
	},
	"deepseek_v3": {
		"deepseek-ai/DeepSeek-V3", "deepseek-ai/DeepSeek-V3-0324", "deepseek-v3", "deepseek-v3:671b", "deepseek-ai/DeepSeek-R1", "deepseek-ai/DeepSeek-R1-0528", "deepseek-r1",
		"deepseek-r1:7b", "deepseek-r1:32b", "deepseek-ai/DeepSeek-R1-Distill-Qwen-32B", "deepseek-ai/DeepSeek-R1-Distill-Llama-8B", "deepseek-ai/DeepSeek-R1-0528-Qwen3-8B",
		"DeepSeek-R1-Distill-Qwen-7B-Q4_K_M.gguf", "unsloth/DeepSeek-R1-Distill-Llama-8B-bnb-4bit", "deepseek-ai/DeepSeek-V2.5", "us.deepseek.r1-v1:0", "deepseek/deepseek-r1:free",
		"deepseek/deepseek-chat-v3-0324", "deepcogito/cogito-v2-preview-deepseek-671B-MoE", "deepcogito/cogito-671b-v2.1", "cogito-2.1:671b",
	},
	"deepseek_v31": {
		"deepseek-ai/DeepSeek-V3.1", "deepseek-ai/DeepSeek-V3.1-Terminus", "deepseek-v3.1", "deepseek-v3.1:671b-cloud", "unsloth/DeepSeek-V3.1-GGUF", "deepseek-v3p1",
		"deepseek-ai/DeepSeek-V3.2-Exp", "deepseek/deepseek-chat-v3.1", "deepseek-v3-1-250821",
	},
	"deepseek_v32": {
		"deepseek-ai/DeepSeek-V3.2", "deepseek-v3.2", "deepseek-v3.2:cloud", "deepseek/deepseek-v3.2", "deepseek-chat", "deepseek/deepseek-chat", "deepseek-reasoner", "deepseek-v3-2-251201",
	},
	"deepseek_v4":  {"deepseek-ai/DeepSeek-V4", "deepseek-ai/DeepSeek-V4-Flash", "deepseek-ai/DeepSeek-V4-Pro", "deepseek-v4", "deepseek-v4-flash:cloud"},
	"deepseek_v41": {"deepseek-ai/DeepSeek-V4.1", "deepseek-v4.1-flash"},
	"glm45": {
		"zai-org/GLM-4.6", "zai-org/GLM-4.5-Air", "zai-org/GLM-4.5-Air-FP8", "zai-org/GLM-4.5V", "zai-org/GLM-4.6V-Flash", "glm-4.6:cloud", "z-ai/glm-4.5-air:free", "glm-4p5",
		"unsloth/GLM-4.5-Air-GGUF", "cyankiwi/GLM-4.6-AWQ-4bit", "zai-org_GLM-4.6-Q4_K_M.gguf", "glm-4.5-air",
	},
	"glm4_0414":       {"zai-org/GLM-4-32B-0414", "zai-org/GLM-Z1-9B-0414", "zai-org/glm-4-9b-chat", "glm4:9b"},
	"hunyuan_dense":   {"tencent/Hunyuan-7B-Instruct", "tencent/Hunyuan-1.8B-Instruct", "Hunyuan-0.5B-Instruct-Q8_0.gguf"},
	"nemotron_mini":   {"nemotron-mini:4b", "nvidia/Nemotron-Mini-4B-Instruct"},
	"xing4":           {"XingChen-AGI/Xing4.0-29B-A4B", "Tele-AI/TeleChat4-36B"},
	"glm47":           {"zai-org/GLM-4.7", "zai-org/GLM-4.7-Flash", "glm-4.7-flash:q4_K_M", "unsloth/GLM-4.7-Flash-GGUF"},
	"kimi_k2":         {"moonshotai/Kimi-K2-Instruct", "moonshotai/Kimi-K2-Instruct-0905", "moonshotai/Kimi-K2-Thinking", "kimi-k2:1t-cloud", "kimi-k2-thinking:cloud", "moonshotai/kimi-k2:free", "moonshot.kimi-k2-thinking", "unsloth/Kimi-K2-Instruct-GGUF", "moonshotai/Kimi-Linear-48B-A3B-Instruct"},
	"kimi_k3":         {"moonshotai/Kimi-K3", "kimi-k3:cloud"},
	"minimax":         {"MiniMaxAI/MiniMax-M1-80k", "MiniMaxAI/MiniMax-M1-40k"},
	"minimax_m2":      {"MiniMaxAI/MiniMax-M2", "MiniMaxAI/MiniMax-M2.1", "MiniMaxAI/MiniMax-M2.5", "minimax-m2:cloud", "minimax/minimax-m2.1", "minimax.minimax-m2", "unsloth/MiniMax-M2-GGUF"},
	"minimax_m3":      {"MiniMaxAI/MiniMax-M3", "minimax-m3:cloud"},
	"granite4":        {"ibm-granite/granite-4.0-h-small", "ibm-granite/granite-4.0-micro-GGUF", "ibm-granite/granite-4.1-8b", "granite4", "granite4:3b", "granite4:tiny-h", "granite-4.0-h-tiny-Q4_K_M.gguf", "ibm/granite-4-h-tiny", "unsloth/granite-4.0-h-small-FP8"},
	"granite":         {"ibm-granite/granite-3.3-8b-instruct", "ibm-granite/granite-3.1-8b-instruct", "ibm-granite/granite-3.0-8b-instruct", "granite3.3", "granite3.3:8b", "granite3.2:8b", "granite3.1-dense:8b", "granite3-dense:2b", "granite3.1-moe"},
	"granite-20b-fc":  {"ibm-granite/granite-20b-functioncalling"},
	"phi4_mini_json":  {"microsoft/Phi-4-mini-instruct", "phi4-mini", "phi4-mini:3.8b", "Phi-4-mini-instruct-Q4_K_M.gguf", "microsoft_Phi-4-mini-instruct-Q4_K_M.gguf", "unsloth/Phi-4-mini-instruct-GGUF", "microsoft/Phi-4-multimodal-instruct"},
	"jamba":           {"ai21labs/AI21-Jamba-1.5-Mini", "ai21labs/AI21-Jamba-Large-1.7", "ai21labs/AI21-Jamba-Reasoning-3B", "ai21.jamba-1-5-large-v1:0", "jamba-large"},
	"internlm":        {"internlm/internlm2_5-7b-chat", "internlm/internlm2-chat-7b", "internlm/internlm3-8b-instruct", "internlm/Intern-S1", "internlm/Intern-S1-mini-FP8"},
	"hunyuan_a13b":    {"tencent/Hunyuan-A13B-Instruct", "tencent/Hunyuan-A13B-Instruct-GPTQ-Int4", "unsloth/Hunyuan-A13B-Instruct-GGUF"},
	"hy_v3":           {"tencent/Hy3", "tencent/Hy3-preview"},
	"hy_v4":           {"tencent/Hy4"},
	"step_audio2":     {"stepfun-ai/Step-Audio-2-mini"},
	"step3":           {"stepfun-ai/step3", "stepfun-ai/Step3-FP8", "stepfun-ai/step-3"},
	"step3p5":         {"stepfun-ai/Step-3.5-Flash", "stepfun-ai/Step-3.5-Flash-FP8", "stepfun/step-3.5-flash:free", "stepfun-ai/Step5-VL"},
	"seed_oss":        {"ByteDance-Seed/Seed-OSS-36B-Instruct", "unsloth/Seed-OSS-36B-Instruct-GGUF", "ByteDance-Seed_Seed-OSS-36B-Instruct-Q4_K_M.gguf", "bytedance/seed-oss-36b"},
	"olmo3":           {"allenai/Olmo-3-7B-Instruct", "allenai/Olmo-3.1-32B-Instruct", "olmo-3:7b", "olmo-3.1:32b-instruct"},
	"ernie45":         {"baidu/ERNIE-4.5-21B-A3B-Thinking", "baidu/ERNIE-4.5-300B-A47B-PT"},
	"xlam":            {"MadeAgents/Hammer2.1-7b", "hammer2.1:3b", "Salesforce/Llama-xLAM-2-8b-fc-r", "Salesforce/xLAM-2-1b-fc-r", "Salesforce/xLAM-7b-fc-r-gguf"},
	"nemotron_json":   {"nvidia/NVIDIA-Nemotron-Nano-9B-v2", "nvidia/NVIDIA-Nemotron-Nano-12B-v2", "nvidia/Llama-3_1-Nemotron-Ultra-253B-v1", "nvidia/Llama-3.1-Nemotron-Nano-8B-v1", "nvidia/Llama-3.1-Nemotron-Nano-4B-v1.1", "nvidia/nemotron-nano-9b-v2:free", "nvidia/Nemotron-H-47B-Reasoning-128K"},
	"gigachat3":       {"ai-sage/GigaChat3-10B-A1.8B", "ai-sage/GigaChat3-702B-A36B-preview", "ai-sage/GigaChat-20B-A3B-instruct"},
	"gigachat35":      {"ai-sage/GigaChat3.5-10B"},
	"longcat":         {"meituan-longcat/LongCat-Flash-Chat", "meituan/longcat-flash-chat:free"},
	"functiongemma":   {"google/functiongemma-270m-it", "functiongemma:270m", "unsloth/functiongemma-270m-it-GGUF"},
	"nexus_raven":     {"Nexusflow/NexusRaven-V2-13B", "nexusraven:13b"},
	"ui_tars":         {"ByteDance-Seed/UI-TARS-1.5-7B", "bytedance-research/UI-TARS-7B-DPO"},
	"gemma4":          {"google/diffusiongemma-26B-A4B-it", "nvidia/NVIDIA-Nemotron-3.5-Bolt-E4B", "google/gemma-4-31B-it", "google/gemma-4-E4B-it", "gemma4:31b", "gemma4", "unsloth/gemma-4-26B-A4B-it-GGUF", "google/gemma-4-31b-it"},
	"tool_code":       {"google/gemma-3-27b-it", "google/gemma-3-4b-it-qat-q4_0-gguf", "gemma3", "gemma3:27b", "gemma3:4b", "gemma3n:e4b", "google/gemma-3-12b", "gemma-3-27b-it-Q4_K_M.gguf", "google/gemma-2-9b-it", "gemma2:9b", "unsloth/gemma-3-27b-it-bnb-4bit", "google_gemma-3-27b-it-Q4_K_M.gguf"},
	"lfm2":            {"LiquidAI/LFM2-8B-A1B", "LiquidAI/LFM2-1.2B-Tool-GGUF", "lfm2:24b", "LFM2-2.6B-Q4_K_M.gguf", "liquid/lfm2-1.2b"},
	"apertus":         {"swiss-ai/Apertus-8B-Instruct-2509", "swiss-ai/Apertus-70B-Instruct-2509", "unsloth/Apertus-8B-Instruct-2509-GGUF"},
	"command_r_plus":  {"CohereForAI/c4ai-command-r-plus", "CohereLabs/c4ai-command-r-plus-08-2024", "CohereForAI/c4ai-command-r-v01", "command-r", "command-r:35b", "command-r-plus", "command-r-plus:104b", "command-r-08-2024", "cohere.command-r-plus-v1:0", "c4ai-command-r-08-2024-Q4_K_M.gguf"},
	"cohere_command3": {"CohereForAI/c4ai-command-r7b-12-2024", "CohereLabs/c4ai-command-a-03-2025", "command-r7b", "command-r7b:7b", "command-a", "command-a:111b", "command-a-03-2025", "CohereLabs/command-a-reasoning-08-2025", "command-r7b-arabic:7b"},
	"minicpm3":        {"openbmb/MiniCPM3-4B", "openbmb/MiniCPM4-8B", "MiniCPM3-4B-Q4_K_M.gguf"},
	"solar_open":      {"upstage/Solar-Open-100B", "upstage/Solar-Open-100B-GGUF"},
	"sarashina":       {"sbintuitions/sarashina2.2-3b-instruct-v0.1"},
	"beam":            {"beam-501b"},
	"functionary_v22": {"meetkai/functionary-small-v2.2", "meetkai/functionary-medium-v2.4-GGUF"},
	"minicpm5":        {"openbmb/MiniCPM5-1B"},
	"poolside_v1":     {"poolside/Laguna-XS.2", "poolside/Laguna-XS-2.1", "laguna-xs.2:latest", "unsloth/Laguna-XS.2-GGUF"},
	"solar_open2":     {"upstage/Solar-Open2-250B", "upstage/solar-open-2"},
	"plamo3":          {"pfnet/plamo-3-nict-8b-base"},
	"cwm":             {"facebook/cwm", "facebook/cwm-sft"},
	"dots":            {"rednote-hilab/dots.llm1.inst", "rednote-hilab/dots.llm2"},
	"pangu":           {"FreedomIntelligence/openPangu-Embedded-7B", "openpangu-ultra-moe-718b"},
	"rwkv":            {"RWKV/RWKV7-Goose-World3-2.9B-HF", "rwkv7-g1-2.9b"},
	"k2_horizon":      {"LLM360/K2-Horizon"},
	"functionary_v31": {"meetkai/functionary-small-v3.1", "meetkai/functionary-medium-v3.1-GGUF"},
	"functionary_v32": {"meetkai/functionary-small-v3.2", "meetkai/functionary-medium-v3.2", "meetkai/functionary-medium-v3.0", "functionary-small-v3.2.Q4_0.gguf"},
	"firefunction":    {"fireworks-ai/llama-3-firefunction-v2", "firefunction-v2:70b", "accounts/fireworks/models/firefunction-v2"},
	"apriel":          {"ServiceNow-AI/Apriel-1.6-15b-Thinker"},
	"trinity":         {"arcee-ai/Trinity-Mini", "arcee-ai/trinity-large-preview:free"},
	"spark25":         {"iflytek/Spark-2.5-13B", "XHToken/Spark-X2.5-4B"},
	"ling3":           {"inclusionAI/Ling-3.0-flash", "inclusionAI/Ring-3.0-1T"},
	"iquest_q1":       {"IQuestLab/IQuest-Q1"},
	"muse":            {"muse-glimmer", "glimmer:30b"},
	"inkling":         {"inkling-small"},
	"llm_jp_harmony":  {"llm-jp/llm-jp-4-8b-instruct"},
	"pythonic":        {"Team-ACE/ToolACE-2-Llama-3.1-8B", "Team-ACE/ToolACE-8B", "watt-ai/watt-tool-8B"},
	"openhands":       {"all-hands/openhands-lm-32b-v0.1"},

	"hyperclovax_seed_think": {"naver-hyperclovax/HyperCLOVAX-SEED-Think-32B"},
	"hyperclovax_14b":        {"naver-hyperclovax/HyperCLOVAX-SEED-Think-14B"},
	"mirothinker":            {"miromind-ai/MiroThinker-v1.0-30B"},
	"cohere_command4":        {"command-a-plus-05-2026", "CohereLabs/North-Mini-Code-1.0"},

	callsNatively: {"mistral-medium-2508", "qwen-flash", "doubao-seed-1-6-250615", "hunyuan-t1-latest", "hunyuan-turbos-latest", "ernie-x1-turbo-32k", "ernie-5.0-thinking-preview", "kat-coder-pro", "inception/mercury-coder", "palmyra-x5", "solar-pro2", "gpt-4o", "gpt-4o-mini", "openai/gpt-4o", "gpt-4o-2024-08-06", "gpt-4.1", "gpt-4.1-mini", "gpt-4-turbo", "gpt-4", "gpt-3.5-turbo", "chatgpt-4o-latest", "gpt-5", "gpt-5-mini",
		"gpt-5.1-codex", "gpt-5.2", "openai/gpt-5-nano", "o1", "o1-mini", "o1-preview", "o3", "o3-mini", "openai/o3-pro", "o4-mini", "o4-mini-2025-04-16", "codex-mini-latest", "azure/gpt-4o",
		"claude-3-opus-20240229", "claude-3-5-sonnet-20241022", "claude-3-7-sonnet-latest", "claude-sonnet-4-20250514", "claude-opus-4-1", "claude-haiku-4-5", "anthropic/claude-sonnet-4.5",
		"claude-sonnet-4@20250514", "us.anthropic.claude-3-5-sonnet-20241022-v2:0", "anthropic.claude-v2", "anthropic/claude-3.5-haiku:beta", "claude-instant-1.2",
		"gemini-1.5-pro", "gemini-2.0-flash", "gemini-2.5-pro", "models/gemini-2.5-flash-lite", "google/gemini-2.5-pro", "gemini-3-pro-preview", "gemini-pro", "gemini-flash-latest",
		"grok-2-1212", "grok-3", "grok-4", "x-ai/grok-4-fast:free", "grok-code-fast-1", "grok-beta", "amazon.nova-pro-v1:0", "us.amazon.nova-lite-v1:0", "nova-2-lite-v1", "amazon/nova-micro-v1",
		"kimi-latest", "moonshot-v1-32k", "glm-4-plus", "glm-4-air", "glm-4-flash-250414", "gpt-realtime-mini", "gpt-audio", "computer-use-preview",
		"qwen-max", "qwen-plus-latest", "qwen-turbo", "qwen3-max", "qwen/qwen3-max",
	},

	"": {"LLM360/K2-Think-V2", "Kwaipilot/KAT-Dev", "inclusionAI/Ling-lite", "dolphin-mistral:7b", "mistral-7b-openorca", "athene-v2-agent", "somebody/a-model-that-nobody-knows", "", " ", "/", ":", "meta-llama/Meta-Llama-3-8B-Instruct", "llama3:8b", "llama2:13b", "phi4:14b", "microsoft/phi-4", "gpt2", "EleutherAI/gpt-j-6b",
		"teknium/OpenHermes-2.5-Mistral-7B", "openhermes:7b", "gemini-distill-llama",
		"nomic-embed-text", "meta-llama/Llama-Guard-3-8B", "codellama:7b", "o5", "oasst", "claud", "starcoder2:3b",
	},
}

func TestForModel(t *testing.T) {
	for want, ids := range modelIDs {
		for _, id := range ids {
			for _, id := range []string{id, strings.ToUpper(id)} {
				d, ok := ForModel(id)
				switch {
				case ok != (want != "") || (d == nil) == ok:
					t.Errorf("%q: got %v, %v, want %q", id, d, ok, want)
				case ok && d.Name != want:
					t.Errorf("%q: got %s, want %q", id, d.Name, want)
				case ok && d.Native() != (want == callsNatively):
					t.Errorf("%q: Native is %v", id, d.Native())
				}
			}
		}
	}
}

// TestModelsHaveIDs checks that every pattern is the first match of an id in modelIDs.
func TestModelsHaveIDs(t *testing.T) {
	used := map[string]bool{}
	for _, ids := range modelIDs {
		for _, id := range ids {
		names:
			for _, name := range modelNames(id) {
				for pattern := range patterns {
					if ok, _ := path.Match(pattern, name); ok {
						used[pattern] = true
						break names
					}
				}
			}
		}
	}
	for pattern := range patterns {
		if !used[pattern] {
			t.Errorf("no id shows what %s is for", pattern)
		}
	}
}

// TestForModelKnowsDialects checks that ForModel also takes the names and aliases of dialects.
func TestForModelKnowsDialects(t *testing.T) {
	differs := map[string]string{ // a model's name that is a server's name for the parser of another
		"cogito": "hermes",
	}
	for _, d := range All() {
		for _, name := range append([]string{d.Name}, d.Aliases...) {
			want := d.Name
			if other := differs[name]; other != "" {
				want = other
			}
			if got, ok := ForModel(name); !ok || got.Name != want {
				t.Errorf("%s: got %v, want %s", name, got.Name, want)
			}
		}
	}
}

func TestBegunBy(t *testing.T) {
	for id, want := range map[string]string{
		"Qwen/Qwen3-30B-A3B-Thinking-2507": "<think>\n", "Qwen/QwQ-32B": "<think>\n", "deepseek-ai/DeepSeek-R1": "<think>\n",
		"deepseek-r1:7b": "<think>\n", "THUDM/GLM-Z1-32B-0414": "<think>\n", "stepfun-ai/step3": "<think>\n",
		"deepseek-ai/DeepSeek-R1-0528": "", "Qwen/Qwen3-8B": "", "stepfun-ai/step3.5-flash": "", "gpt-4o": "", "": "",
	} {
		if got := BegunBy(id); got != want {
			t.Errorf("%s: %q", id, got)
		}
	}
}
