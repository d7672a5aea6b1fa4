#!/usr/bin/env bash
# Lets real coding clients complete a task through toolparse serve, with a model that has
# no tool calling: each is asked to write a file, and Codex also calls a tool of an MCP
# server of its own.
#
#   bash clients/coding.sh [DIALECT...]     default: hermes qwen3_coder xml
#
# It needs Go, node and npm. The clients are installed below $CODING_CLIENTS (default: a
# folder that is removed at the end); what they do stays in a folder of their own, and as
# root, where unshare works, in a network namespace without the internet.
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

if [ -z "${TOOLPARSE_CODING_OFFLINE-}" ]; then
	export CODING_CLIENTS=${CODING_CLIENTS:-$work/clients} CODING_BIN=$work/bin
	mkdir -p "$CODING_CLIENTS" "$CODING_BIN"
	for package in @openai/codex@0.169 @google/gemini-cli@0.61 @qwen-code/qwen-code@0.15 opencode-ai@1.18; do
		[ -d "$CODING_CLIENTS/node_modules/${package%@*}" ] ||
			npm install --silent --no-audit --no-fund --prefix "$CODING_CLIENTS" "$package" >/dev/null
	done
	go build -o "$CODING_BIN/" ./cmd/toolparse ./examples/textmodel
	if [ "$(id -u)" = 0 ] && unshare -n true 2>/dev/null; then
		TOOLPARSE_CODING_OFFLINE=1 unshare -n bash -c 'ip link set lo up && exec bash "$@"' bash clients/coding.sh "$@"
	else
		TOOLPARSE_CODING_OFFLINE=1 bash clients/coding.sh "$@"
	fi
	exit
fi

bin=$CODING_CLIENTS/node_modules/.bin
failed=0

# fresh makes a home and a folder to work in.
fresh() {
	home=$work/$1/home here=$work/$1/here
	mkdir -p "$home" "$here"
	git -C "$here" init -q
}

# client runs a client in its own home and folder: client NAME [VARIABLE=VALUE...] COMMAND...
client() {
	(cd "$here" && env -i PATH="$PATH" HOME="$home" TERM=dumb CI=1 "$@" </dev/null >"$here.log" 2>&1) || true
}

# expect tells whether a client did what it was asked to.
expect() {
	if "${@:2}"; then
		echo "ok    $1"
	else
		echo "FAIL  $1"
		tail -20 "$here.log"
		tail -5 "$work/serve.log"
		failed=1
	fi
}

wrote() { [ "$(cat "$here/hello.txt" 2>/dev/null)" = "Hello from a text model." ]; }
called() { [ -f "$here/tides.called" ]; }

codex() { # NAME
	fresh "$1"
	mkdir -p "$home/.codex"
	cat >"$home/.codex/config.toml" <<-END
		model = "textmodel"
		model_provider = "loc"
		approval_policy = "never"
		sandbox_mode = "danger-full-access"
		[analytics]
		enabled = false
		[model_providers.loc]
		name = "loc"
		base_url = "$url/v1"
		wire_api = "responses"
		env_key = "KEY"
		[mcp_servers.sea]
		command = "node"
		args = ["$PWD/clients/sea.mjs", "$here/tides.called"]
	END
}

task="Write a file hello.txt that says hello."
port=18080
for dialect in "$@"; do
	port=$((port + 2))
	url=http://127.0.0.1:$((port + 1))
	"$CODING_BIN/textmodel" -listen 127.0.0.1:$port -d "$dialect" 2>"$work/model.log" &
	started+=($!)
	"$CODING_BIN/toolparse" serve --upstream http://127.0.0.1:$port/v1 -d "$dialect" --listen 127.0.0.1:$((port + 1)) 2>"$work/serve.log" &
	started+=($!)
	for _ in $(seq 100); do
		! grep -q "^listening" "$work/serve.log" || break
		sleep 0.1
	done

	codex "codex-$dialect"
	client KEY=none timeout 300 "$bin/codex" exec --skip-git-repo-check "$task"
	expect "codex, $dialect" wrote

	codex "codex-mcp-$dialect"
	client KEY=none timeout 300 "$bin/codex" exec --skip-git-repo-check "When are the tides in Bergen?"
	expect "codex with an MCP server, $dialect" called

	fresh "gemini-$dialect"
	mkdir -p "$home/.gemini"
	echo '{"security":{"auth":{"selectedType":"gemini-api-key"}},"telemetry":{"enabled":false},"privacy":{"usageStatisticsEnabled":false}}' >"$home/.gemini/settings.json"
	client GEMINI_API_KEY=none GOOGLE_GEMINI_BASE_URL="$url" timeout 300 "$bin/gemini" --skip-trust -y -m textmodel -p "$task"
	expect "gemini-cli, $dialect" wrote

	fresh "qwen-$dialect"
	client OPENAI_API_KEY=none OPENAI_BASE_URL="$url/v1" OPENAI_MODEL=textmodel timeout 300 "$bin/qwen" --auth-type openai -y -p "$task"
	expect "qwen-code, $dialect" wrote

	fresh "opencode-$dialect"
	cat >"$here/opencode.json" <<-END
		{"provider": {"loc": {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": "$url/v1", "apiKey": "none"}, "models": {"textmodel": {}}}}}
	END
	client timeout 300 "$bin/opencode" run -m loc/textmodel "$task"
	expect "opencode, $dialect" wrote
done
exit $failed
