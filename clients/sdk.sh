#!/usr/bin/env bash
# Lets the vendors' Python and JavaScript SDKs use toolparse serve, with a model that has no
# tool calling: each asks, streaming and whole, gets a call, sends the result and gets the answer;
# and has an error where the upstream refuses. Then all of that natively: through a second
# toolparse serve, to which the first is a server with tool calls of its own, of each wire.
#
#   bash clients/sdk.sh [DIALECT...]     default: hermes qwen3_coder xml
#
# It needs Go, and python3 or node with npm; what is missing is skipped. The SDKs are installed
# below $SDKS (default: a folder that is removed at the end).
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[ $# -gt 0 ] || set -- hermes qwen3_coder xml

sdks=${SDKS:-$work/sdks}
mkdir -p "$sdks"
[ -d "$sdks/python/bin" ] || python_packages "$sdks/python" openai anthropic google-genai ollama || true
[ -d "$sdks/node_modules/openai" ] || npm_packages "$sdks" openai @anthropic-ai/sdk @google/genai ollama || true
go build -o "$work/" ./cmd/toolparse ./examples/textmodel

# try runs all SDKs against the gateway at $url.
try() {
	echo "== $1"
	[ ! -d "$sdks/python/bin" ] || "$sdks/python/bin/python" clients/sdk.py "$url" "$refusing" || failed=1
	[ ! -d "$sdks/node_modules/openai" ] || node clients/sdk.mjs "$url" "$refusing" "$sdks" || failed=1
	[ $failed = 0 ] || grep -E 'level=WARN|ERROR' "$work/serve.log" | tail -n 5
}

for dialect in "$@"; do
	serve_dialect "$work" "$dialect"
	start "$work/refusing.log" "$work/toolparse" serve --upstream "$model/v1" --listen 127.0.0.1:0
	refusing=$(ready "$work/refusing.log")
	try "$dialect"
done
text=$url
for wire in openai responses anthropic gemini ollama; do
	case $wire in openai | responses) base=$text/v1 ;; *) base=$text ;; esac
	start "$work/native.log" "$work/toolparse" serve --upstream "$base" --upstream-wire "$wire" --listen 127.0.0.1:0
	url=$(ready "$work/native.log")
	try "native calls of $wire"
done
exit $failed
