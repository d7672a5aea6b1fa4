package carry

// features lists all of them.
var features = [...]Feature{
	SystemRole,
	DeveloperRole,
	OtherRole,
	EmptyMessage,
	UserImage,
	UserFile,
	MediaURL,
	MediaID,
	MediaGoogle,
	MediaType,
	MediaName,
	PartOrder,
	ReasoningText,
	Signature,
	ForeignSignature,
	Redacted,
	ForeignRedacted,
	Refusal,
	CallID,
	IllegalID,
	RepeatedID,
	IllegalName,
	BrokenArguments,
	NotObject,
	ParallelResults,
	ResultError,
	ResultImage,
	ResultFile,
	StrayResult,
	RepeatedResult,
	UnansweredCall,
	ToolSchema,
	Strict,
	CustomTool,
	HostedTool,
	ClientTool,
	Namespace,
	ChoiceNone,
	ChoiceRequired,
	ChoiceOne,
	ChoiceAllowed,
	GoneChoice,
	UnknownChoice,
	NoTools,
	ParallelCalls,
	Temperature,
	TopP,
	TokenLimit,
	NoTokenLimit,
	Stop,
	StreamFlag,
	Model,
	ResponseID,
	Created,
	Choices,
	UsageCounts,
	CacheUsage,
	CacheWriteUsage,
	ReasoningUsage,
	FinishToolCalls,
	FinishFilter,
	FinishRefusal,
	FinishPause,
	FinishError,
	FinishFailed,
	FinishOther,
	StreamedArguments,
	InterleavedCalls,
	Failure,
	Restart,
	AfterFinish,
	NamelessCall,
	DifferentEnd,
	SettingValue,
	ForeignExtra,
	OwnExtra,
	OtherPart,
}

// tableOf returns the row of a wire. Nothing writes to it.
func tableOf(wire string) map[Feature]Entry {
	switch wire {
	case "openai":
		return openai
	case "responses":
		return responses
	case "anthropic":
		return anthropic
	case "gemini":
		return gemini
	case "ollama":
		return ollama
	}
	return nil
}
