package toolparse

import (
	"fmt"

	"github.com/toolparse/toolparse/manifest"
	"github.com/toolparse/toolparse/manifest/history"
)

// Prompt writes a request for a model without native tool calls: the tools go into
// its system prompt as text in the kit's dialect, and the calls and results of
// earlier turns become text, too. The request that it returns has no tools and no
// tool messages; the one that is given is not changed, and its own list of tools is
// not used: the kit's is. The losses are what the text could not show as it was. It fails where
// the kit has no one dialect, and on a tool that the dialect cannot express.
func (k *Kit) Prompt(request *Request) (*Request, []Loss, error) {
	dialects, err := k.dialects(Text)
	if err != nil {
		return nil, nil, err
	}
	if len(dialects) != 1 {
		return nil, nil, fmt.Errorf("toolparse: Prompt needs one dialect: set Options.Dialect, Model or Custom")
	}
	text, err := manifest.New(manifest.Of(k.opts.Tools...), manifest.Options{
		Dialect: dialects[0], Choice: request.ToolChoice, Parallel: request.ParallelCalls,
	})
	if err != nil {
		return nil, nil, err
	}
	turns, err := history.New(dialects[0], history.Options{Tools: k.opts.Tools})
	if err != nil {
		return nil, nil, err
	}
	out := *request
	var losses []Loss
	out.Messages, losses = turns.Render(request.Messages)
	return text.InjectChat(&out), losses, nil
}
