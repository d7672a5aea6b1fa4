#!/usr/bin/env bash
# Tries MCP with programs of others: toolparse run and mcp list with servers from npm and
# PyPI, over standard input and output and over HTTP, and toolparse mcp with the clients of
# the TypeScript and the Python SDK.
#
#   bash clients/mcp.sh
#
# It needs Go, node, npm and python3, and skips what is missing. The servers are installed below
# $MCP_SERVERS (default: a folder that is removed at the end). Nothing else is written outside
# of a temporary folder.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

installed=${MCP_SERVERS:-$work/servers}
mkdir -p "$installed" "$work/files"
npm=$installed/node_modules python=$installed/python

skip() { echo "skip  $1"; }

have_node() { [ -d "$npm/@modelcontextprotocol/server-everything" ]; }
have_python() { [ -x "$python/bin/mcp-server-git" ]; }

have_node || npm_packages "$installed" @modelcontextprotocol/server-everything@2026 @modelcontextprotocol/server-filesystem@2026 || true
have_python || python_packages "$python" 'mcp-server-git>=2026' 'mcp-server-time>=2026' || true
go build -o "$work/toolparse" ./cmd/toolparse
toolparse=$work/toolparse

# expect tells whether a text is in a file: expect WHAT PATTERN FILE
expect() {
	if grep -qE -- "$2" "$3"; then
		echo "ok    $1"
	else
		echo "FAIL  $1: no line like $2 in"
		tail -c 2000 "$3"
		failed=1
	fi
}

# call lets a model call a tool of the servers of a file: call FILE TOOL ARGUMENTS
call() {
	mkdir -p "$work/session"
	echo "Go." >"$work/session/prompt.txt"
	printf '<tool_call>\n{"name": "%s", "arguments": %s}\n</tool_call>\n' "$2" "$3" >"$work/session/1.txt"
	echo "Done." >"$work/session/2.txt"
	"$toolparse" run --provider replay -d hermes --approve all --policies "$work/none.json" --output json --mcp "$1" "$work/session" \
		</dev/null >"$work/out" 2>"$work/err" || true
	cat "$work/err" >>"$work/out"
}

echo "hello from a file" >"$work/files/hello.txt"
git -C "$work/files" init -q

if have_node; then
	everything=$npm/@modelcontextprotocol/server-everything/dist/index.js
	cat >"$work/node.json" <<-JSON
		{"mcpServers": {
			"everything": {"command": "node", "args": ["$everything"]},
			"files": {"command": "node", "args": ["$npm/@modelcontextprotocol/server-filesystem/dist/index.js", "$work/files"]},
			"dead": {"command": "node", "args": ["-e", "console.error('no such database'); process.exit(7)"]}
		}}
	JSON
	"$toolparse" mcp list "$work/node.json" >"$work/out" 2>"$work/err" || true
	expect "server-everything is listed" '^everything +everything__get-sum +' "$work/out"
	expect "server-filesystem is listed, with what reads and what writes" '^files +files__write_file +high +[0-9]+' "$work/out"
	expect "a dead server is reported" 'dead: it has ended: exit status 7; it said: no such database' "$work/err"
	call "$work/node.json" files__read_text_file "{\"path\": \"$work/files/hello.txt\"}"
	expect "server-filesystem reads a file" '"success":true,"output":"hello from a file' "$work/out"
	call "$work/node.json" files__read_text_file '{"path": "/etc/passwd"}'
	expect "an error of the server is one" '"success":false.*Access denied' "$work/out"
	call "$work/node.json" everything__get-sum '{"a": 2, "b": 40}'
	expect "server-everything adds" '"output":"The sum of 2 and 40 is 42' "$work/out"
	call "$work/node.json" everything__get-tiny-image '{}'
	expect "an image comes through" '"parts":\[\{"kind":"image","media":\{"type":"image/png","data":"iVBOR' "$work/out"
	call "$work/node.json" everything__get-structured-content '{"location": "Chicago"}'
	expect "structured content comes through" '"structured_content":\{' "$work/out"
	call "$work/node.json" everything__get-resource-links '{"count": 2}'
	expect "resource links come through" '\[resource .*demo://resource' "$work/out"
	call "$work/node.json" everything__get-resource-reference '{"resourceType": "Text", "resourceId": 1}'
	expect "an embedded resource comes through" '\[resource demo://resource' "$work/out"
	call "$work/node.json" everything__trigger-long-running-operation '{"duration": 1, "steps": 2}'
	expect "progress is told" '"type":"CALL_PROGRESS".*\(?1/2' "$work/out"
	OPENAI_API_KEY=open-sesame call "$work/node.json" everything__get-env '{}'
	expect "a server has an environment" 'PATH' "$work/out"
	if grep -q sesame "$work/out"; then
		echo "FAIL  a server gets the key of a provider"
		failed=1
	else
		echo "ok    a server gets no keys"
	fi

	for kind in streamableHttp sse; do
		port=$((20000 + RANDOM % 20000))
		start "$work/http.log" env PORT="$port" node "$everything" "$kind"
		path=mcp
		[ "$kind" = streamableHttp ] || path=sse
		printf '{"mcpServers": {"web": {"url": "http://127.0.0.1:%d/%s"}}}' "$port" "$path" >"$work/http.json"
		for _ in $(seq 300); do
			if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then break; fi
			sleep 0.1
		done
		call "$work/http.json" web__echo '{"message": "over HTTP"}'
		expect "server-everything over $kind" '"output":"Echo: over HTTP"' "$work/out"
	done

	cat >"$installed/toolparse-client.mjs" <<-'JS'
		import { Client } from "@modelcontextprotocol/sdk/client/index.js";
		import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
		const client = new Client({ name: "test", version: "1" });
		await client.connect(new StdioClientTransport({ command: process.argv[2], args: ["mcp", "--workspace", process.argv[3]] }));
		console.log((await client.listTools()).tools.map((t) => t.name).join(" "));
		console.log(JSON.stringify(await client.callTool({ name: "read_file", arguments: { path: "hello.txt" } })));
		console.log(JSON.stringify(await client.callTool({ name: "list_files", arguments: {} })));
		console.log(JSON.stringify(await client.callTool({ name: "bash", arguments: { command: "true" } })));
		await client.close();
	JS
	node "$installed/toolparse-client.mjs" "$toolparse" "$work/files" >"$work/out" 2>&1 || true
	expect "the TypeScript client lists the tools of toolparse" 'parse .*read_file' "$work/out"
	expect "the TypeScript client calls a tool" 'hello\.txt' "$work/out"
	expect "the TypeScript client is refused what needs approval" 'bash.*it needs approval.*"isError":true' "$work/out"
else
	skip "server-everything, server-filesystem and the TypeScript client"
fi

if have_python; then
	cat >"$work/python.json" <<-JSON
		{"mcpServers": {
			"git": {"command": "$python/bin/mcp-server-git"},
			"time": {"command": "$python/bin/mcp-server-time", "args": ["--local-timezone", "\${ZONE:-Europe/Oslo}"]}
		}}
	JSON
	call "$work/python.json" git__git_status "{\"repo_path\": \"$work/files\"}"
	expect "mcp-server-git tells the status" '"success":true,"output":"Repository status:.*hello\.txt' "$work/out"
	call "$work/python.json" git__git_status '{}'
	expect "arguments are held against the schema before the server sees them" '"ran":false' "$work/out"
	call "$work/python.json" time__convert_time '{"source_timezone": "Europe/Oslo", "time": "12:00", "target_timezone": "Asia/Tokyo"}'
	expect "mcp-server-time converts" 'Asia/Tokyo' "$work/out"
	cat >"$work/client.py" <<-'PY'
		import asyncio, sys
		from mcp import ClientSession, StdioServerParameters
		from mcp.client.stdio import stdio_client

		async def main():
		    server = StdioServerParameters(command=sys.argv[1], args=["mcp", "--workspace", sys.argv[2], "--approve", "medium"])
		    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
		        await session.initialize()
		        print(*[tool.name for tool in (await session.list_tools()).tools])
		        print(await session.call_tool("read_file", {"path": "hello.txt"}))
		        print(await session.call_tool("parse", {"text": '<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>'}))

		asyncio.run(main())
	PY
	"$python/bin/python" "$work/client.py" "$toolparse" "$work/files" >"$work/out" 2>&1 || true
	expect "the Python client lists the tools of toolparse" 'parse .*read_file' "$work/out"
	expect "the Python client reads a file" 'hello from a file' "$work/out"
	expect "the Python client parses a call" '"name\\*":\\*"add' "$work/out"
else
	skip "mcp-server-git, mcp-server-time and the Python client"
fi

sleep 0.5
if pgrep -f "$installed" >"$work/left" 2>/dev/null && grep -vxF -f <(printf '%s\n' "${started[@]}") "$work/left" >/dev/null; then
	echo "FAIL  servers are left running: $(tr '\n' ' ' <"$work/left")"
	failed=1
else
	echo "ok    no server is left running"
fi
exit $failed
