#!/usr/bin/env bash
# Opens the pages of "toolparse serve --inspect" and of "toolparse view" in a headless Chromium:
# what they must show is there, the list grows while it is open, and nothing is asked of
# anybody else.
#
#   bash clients/inspect.sh [FOLDER]     keeps the screenshots in FOLDER
#
# It needs Go, curl and chromium ($CHROMIUM).
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
shots=${1:-$work/shots}
mkdir -p "$shots"
chromium=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)}
go build -o "$work/" ./cmd/toolparse ./examples/textmodel
serve_dialect "$work" hermes --inspect

# browse opens a page for some seconds, and leaves what it then shows in $work/page, and a picture:
# browse URL NAME
browse() {
	local flags=(--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars --window-size=1200,1400 --user-data-dir="$work/profile")
	"$chromium" "${flags[@]}" --timeout=4000 --virtual-time-budget=4000 --enable-logging=stderr --v=0 --dump-dom "$1" >"$work/page" 2>"$work/console"
	"$chromium" "${flags[@]}" --virtual-time-budget=2000 --screenshot="$shots/$2.png" "$1" >/dev/null 2>&1
}

# expect tells whether the page has a text: expect WHAT PATTERN
expect() {
	if grep -qE -- "$2" "$work/page"; then
		echo "ok    $1"
	else
		echo "FAIL  $1: no $2 in the page"
		failed=1
	fi
}

# silent tells whether the page had nothing to complain about: silent WHAT
silent() {
	if grep -E 'CONSOLE|Refused to|ERR_' "$work/console" | grep -v 'dbus\|gcm\|GPU' >"$work/complaints"; then
		echo "FAIL  $1: $(head -n 3 "$work/complaints")"
		failed=1
	else
		echo "ok    $1"
	fi
}

ask() { # QUESTION
	curl -sf "$url/v1/chat/completions" -H 'Content-Type: application/json' -d '{"model": "m", "stream": true, "messages": [{"role": "user", "content": "'"$1"'"}],
		"tools": [{"type": "function", "function": {"name": "tides", "description": "The tides.", "parameters": {"type": "object", "properties": {"port": {"type": "string"}}}}}]}' >/dev/null
}

ask 'When are the tides? <script>document.title=1</script><img src=x onerror=document.title=2>'
browse "$url/inspect" list
expect "the list has the request" 'openai.*m'
silent "the list asks nobody else, and no policy stops it"
id=$(grep -o '/inspect/[a-z0-9]*' "$work/page" | head -n 1)
browse "$url$id" request
expect "a request has its call" 'tides'
expect "what was written is in colours" 'class="[^"]*(call|tool)'
expect "a page in a request stays text" '&lt;script&gt;document'
expect "nothing in a request runs" '<title>Request'
silent "a request asks nobody else, and no policy stops it"

(sleep 1 && ask 'And the tides of tomorrow?') &
before=$(curl -s "$url/inspect" | grep -c '/inspect/' || true)
browse "$url/inspect" live
wait $!
after=$(grep -o '/inspect/[a-z0-9]*' "$work/page" | sort -u | wc -l)
[ "$after" -ge 2 ] && echo "ok    the list grows while it is open" || { echo "FAIL  the list has $after requests, $before before" && failed=1; }

"$work/toolparse" view testdata/streams/openai-two-calls.sse >"$work/view.html"
browse "file://$work/view.html" view
expect "a recording is drawn" 'get_weather'
silent "a recording asks nobody else"
exit $failed
