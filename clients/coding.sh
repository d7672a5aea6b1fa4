#!/usr/bin/env bash
# Lets real coding clients complete a task through toolparse serve, with a model that has
# no tool calling: "toolparse launch" runs each, which is asked to write a file; Codex also calls
# a tool of an MCP server of its own.
#
#   bash clients/coding.sh [DIALECT...]     default: hermes qwen3_coder xml deepseek_v31 kimi_k2
#
# $CLIENTS names those to try (default: codex gemini qwen opencode claude aider). It needs Go, node
# and npm, and python3 for aider; what cannot be installed is skipped. The clients are installed
# below $CODING_CLIENTS (default: a folder that is removed at the end); what they do stays in a
# folder of their own, and as root, where unshare works, in a network namespace without the internet.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[ $# -gt 0 ] || set -- hermes qwen3_coder xml deepseek_v31 kimi_k2
export CLIENTS=${CLIENTS:-codex gemini qwen opencode claude aider}

if [ -z "${TOOLPARSE_CODING_OFFLINE-}" ]; then
	export CODING_CLIENTS=${CODING_CLIENTS:-$work/clients} CODING_BIN=$work/bin
	mkdir -p "$CODING_CLIENTS" "$CODING_BIN"
	for package in @openai/codex@0.169 @google/gemini-cli@0.61 @qwen-code/qwen-code@0.24 opencode-ai@1.18 @anthropic-ai/claude-code@2; do
		[ -d "$CODING_CLIENTS/node_modules/${package%@*}" ] || npm_packages "$CODING_CLIENTS" "$package" || true
	done
	[ -x "$CODING_CLIENTS/python/bin/aider" ] || python_packages "$CODING_CLIENTS/python" aider-chat || true
	go build -o "$CODING_BIN/" ./cmd/toolparse ./examples/textmodel
	if [ "$(id -u)" = 0 ] && unshare -n true 2>/dev/null; then
		TOOLPARSE_CODING_OFFLINE=1 unshare -n bash -c 'ip link set lo up && exec bash "$@"' bash clients/coding.sh "$@"
	else
		TOOLPARSE_CODING_OFFLINE=1 bash clients/coding.sh "$@"
	fi
	exit
fi

path=$CODING_BIN:$CODING_CLIENTS/node_modules/.bin:$CODING_CLIENTS/python/bin:$PATH

# fresh makes a home and a folder to work in.
fresh() {
	home=$work/$1/home here=$work/$1/here
	mkdir -p "$home" "$here"
	git -C "$here" init -q
}

# launch runs a client in its own home and folder: launch CLIENT ARGUMENTS...
launch() {
	(cd "$here" && env -i PATH="$path" HOME="$home" TERM=dumb CI=1 \
		timeout 300 toolparse launch "$1" --gateway "$url" -- "${@:2}" </dev/null >"$here.log" 2>&1) || true
}

# expect tells whether a client did what it was asked to.
expect() {
	if "${@:2}"; then
		echo "ok    $1"
	else
		echo "FAIL  $1"
		tail -n 20 "$here.log"
		tail -n 5 "$work/serve.log"
		failed=1
	fi
}

wrote() { [ "$(cat "$here/hello.txt" 2>/dev/null)" = "Hello from a text model." ]; }
called() { [ -f "$here/tides.called" ]; }

task="Write a file hello.txt that says hello."

# What each client wants to know before it works without asking, and without telling anybody.

try_codex() {
	mkdir -p "$home/.codex"
	cat >"$home/.codex/config.toml" <<-END
		[analytics]
		enabled = false
		[mcp_servers.sea]
		command = "node"
		args = ["$PWD/clients/sea.mjs", "$here/tides.called"]
	END
	launch codex exec --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox "$task"
	expect "codex, $dialect" wrote
	launch codex exec --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox "When are the tides in Bergen?"
	expect "codex with an MCP server, $dialect" called
}

try_gemini() {
	mkdir -p "$home/.gemini" # with what launch sets in a file that gemini-cli does not trust below /tmp
	echo '{"security":{"auth":{"selectedType":"gemini-api-key"}},"telemetry":{"enabled":false},"privacy":{"usageStatisticsEnabled":false}}' >"$home/.gemini/settings.json"
	launch gemini --skip-trust -y -p "$task"
	expect "gemini-cli, $dialect" wrote
}

try_qwen() {
	launch qwen -y -p "$task"
	expect "qwen-code, $dialect" wrote
}

try_opencode() {
	launch opencode run "$task"
	expect "opencode, $dialect" wrote
}

try_claude() {
	launch claude -p --allowedTools Bash -- "$task"
	expect "claude code, $dialect" wrote
}

try_aider() { # which has no tools: it takes the files from the text
	launch aider --yes-always --no-check-update --analytics-disable --no-show-model-warnings --message "$task"
	expect "aider, $dialect" wrote
}

for dialect in "$@"; do
	serve_dialect "$CODING_BIN" "$dialect"
	for client in $CLIENTS; do
		if PATH=$path command -v "$client" >/dev/null; then
			fresh "$client-$dialect"
			"try_$client"
		else
			echo "skip  $client: it is not installed"
		fi
	done
done
exit $failed
