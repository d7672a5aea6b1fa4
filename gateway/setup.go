package gateway

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/gateway/internal/store"
	"github.com/toolparse/toolparse/internal/modelhttp"
	"github.com/toolparse/toolparse/internal/recent"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
)

// setup is made from the options. A request uses one setup from its beginning to its end.
type setup struct {
	opts    Options
	store   *store.Store // may be nil
	client  *http.Client
	targets []*target
	memory  *wire.ToolMemory
	texts   *recent.Texts
	prompts *toolparse.Kit // whose memory of prompts all kits share
}

// target is a Target in use.
type target struct {
	Target
	setup  *setup
	codec  wire.Codec   // of the upstream's wire
	server *wire.Server // the same

	kits     byTools[*toolparse.Kit]
	texts    *madeCache
	natives  *madeCache
	grammars byTools[constraint]
	signed   *recent.Cache[signedCall, string] // signatures
}

func newSetup(opts Options) (*setup, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	u := &setup{opts: opts, client: modelhttp.NewClient(opts.Timeouts.Connect, opts.Timeouts.FirstByte), memory: wire.NewToolMemory(), texts: recent.NewTexts()}
	if u.prompts, err = toolparse.New(toolparse.Options{}); err != nil {
		return nil, err
	}
	for _, t := range opts.Targets {
		one := &target{Target: t, setup: u, kits: newByTools[*toolparse.Kit](), texts: newMade(), natives: newMade(), grammars: newByTools[constraint](), signed: recent.New[signedCall, string](maxSigned, maxSignedBytes)}
		if one.codec, err = all.CodecOf(t.Wire); err != nil {
			return nil, fmt.Errorf("gateway: upstream: %w", err)
		}
		if one.server, err = all.ServerOf(t.Wire); err != nil {
			return nil, err
		}
		u.targets = append(u.targets, one)
	}
	return u, nil
}

// target returns the target for a model, or nil.
func (u *setup) target(model string) *target {
	var found *target
	best := -1
	for _, t := range u.targets {
		if len(t.Names) == 0 && best < 0 {
			found, best = t, 0
		}
		for _, name := range t.Names {
			beginning, open := strings.CutSuffix(name, "*")
			switch {
			case !open && name == model:
				return t
			case open && strings.HasPrefix(model, beginning) && len(beginning)+1 > best:
				found, best = t, len(beginning)+1
			}
		}
	}
	return found
}

// onlyModel returns the model of all requests, or "". Some wires have the model in the
// path, which is missing where only a body is given.
func (u *setup) onlyModel() string {
	if len(u.targets) == 1 && len(u.targets[0].Names) == 0 {
		return u.targets[0].Model
	}
	return ""
}

// model returns a model that clients can use. If a target takes any name, it asks the
// upstream.
func (u *setup) model(ctx context.Context, key, id string) (wire.Model, error) {
	t := u.target(id)
	switch {
	case t == nil || id == "":
		return wire.Model{}, noModel(id)
	case t.Model != "" || slices.Contains(t.Names, id):
		return wire.Model{ID: id, Owner: "toolparse"}, nil
	}
	all, err := t.listModels(ctx, key)
	if err != nil {
		return wire.Model{}, err
	}
	if at := slices.IndexFunc(all, func(m wire.Model) bool { return m.ID == id }); at >= 0 {
		return all[at], nil
	}
	return wire.Model{}, noModel(id)
}

// models returns the models that clients can use: those of the targets, and of upstreams
// whose target takes any name.
func (u *setup) models(ctx context.Context, key string) ([]wire.Model, error) {
	var list []wire.Model
	for _, t := range u.targets {
		whole := 0
		for _, name := range t.Names {
			if !strings.HasSuffix(name, "*") {
				list = append(list, wire.Model{ID: name, Owner: "toolparse"})
				whole++
			}
		}
		switch {
		case whole > 0:
		case t.Model != "":
			list = append(list, wire.Model{ID: t.Model, Owner: "toolparse"})
		default:
			all, err := t.listModels(ctx, key)
			if err != nil && len(u.targets) == 1 {
				return nil, err
			}
			for _, m := range all {
				if u.target(m.ID) == t {
					list = append(list, m)
				}
			}
		}
	}
	return list, nil
}
