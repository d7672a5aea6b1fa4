#!/usr/bin/env bash
# Lets the vendors' Python and JavaScript SDKs use toolparse serve, with a model that has no
# tool calling: each asks, streaming and whole, gets a call, sends the result and gets the answer.
#
#   bash clients/sdk.sh [DIALECT...]     default: hermes qwen3_coder xml
#
# It needs Go, and python3 or node with npm; what is missing is skipped. The SDKs are installed
# below $SDKS (default: a folder that is removed at the end).
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- hermes qwen3_coder xml

work=$(mktemp -d)
started=()
cleanup() {
	[ ${#started[@]} -eq 0 ] || kill "${started[@]}" 2>/dev/null || true
	rm -rf "$work"
}
trap cleanup EXIT
sdks=${SDKS:-$work/sdks}
mkdir -p "$sdks"
failed=0

if ! [ -d "$sdks/python/bin" ]; then
	{ python3 -m venv "$sdks/python" && "$sdks/python/bin/pip" -q install openai anthropic google-genai ollama; } >"$work/pip.log" 2>&1 ||
		{ echo "skip  Python: $(tail -1 "$work/pip.log")" && rm -rf "$sdks/python"; }
fi
if ! [ -d "$sdks/node_modules/openai" ]; then
	npm install --silent --no-audit --no-fund --prefix "$sdks" openai @anthropic-ai/sdk @google/genai ollama >"$work/npm.log" 2>&1 ||
		{ echo "skip  JavaScript: $(tail -1 "$work/npm.log")" && rm -rf "$sdks/node_modules"; }
fi
go build -o "$work/" ./cmd/toolparse ./examples/textmodel

# ready prints the URL at which a server says that it listens: ready LOG
ready() {
	for _ in $(seq 100); do
		sed -n 's/.*\(http:\/\/127[^ /]*\).*/\1/p' "$1" | head -1 | grep . && return
		sleep 0.1
	done
	cat "$1" >&2
	return 1
}

for dialect in "$@"; do
	echo "== $dialect"
	"$work/textmodel" -listen 127.0.0.1:0 -d "$dialect" 2>"$work/model.log" &
	started+=($!)
	model=$(ready "$work/model.log")
	"$work/toolparse" serve --upstream "$model/v1" -d "$dialect" --listen 127.0.0.1:0 2>"$work/serve.log" &
	started+=($!)
	url=$(ready "$work/serve.log")
	[ ! -d "$sdks/python" ] || "$sdks/python/bin/python" clients/sdk.py "$url" || failed=1
	[ ! -d "$sdks/node_modules" ] || node clients/sdk.mjs "$url" "$sdks" || failed=1
	[ $failed = 0 ] || grep -E 'level=WARN|ERROR' "$work/serve.log" | tail -5
done
exit $failed
