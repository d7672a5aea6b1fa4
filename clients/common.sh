# Sourced by the scripts of this folder: begins in the root of the repository, with a folder
# $work that is removed at the end, when what "start" has started is ended.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

work=$(mktemp -d)
started=()
failed=0
cleanup() {
	[ ${#started[@]} -eq 0 ] || kill "${started[@]}" 2>/dev/null || true
	rm -rf "$work"
}
trap cleanup EXIT

# start runs a command in the background, with all that it prints in a file: start LOG COMMAND...
start() {
	"${@:2}" >"$1" 2>&1 &
	started+=($!)
}

# npm_packages installs packages of npm below a folder, or says why not:
# npm_packages FOLDER PACKAGE...
npm_packages() {
	npm install --silent --no-audit --no-fund --prefix "$1" "${@:2}" >"$work/npm.log" 2>&1 ||
		{ echo "skip  packages of npm: $(tail -n 1 "$work/npm.log")" && return 1; }
}

# python_packages makes an environment of Python with packages of PyPI, or says why not:
# python_packages FOLDER PACKAGE...
python_packages() {
	{ python3 -m venv "$1" && "$1/bin/pip" -q install "${@:2}"; } >"$work/pip.log" 2>&1 ||
		{ echo "skip  packages of PyPI: $(tail -n 1 "$work/pip.log")" && rm -rf "$1" && return 1; }
}

# ready prints the URL at which a server says that it listens, as soon as it does: ready LOG
ready() {
	for _ in $(seq 100); do
		sed -n 's/.*\(http:\/\/127[^ /]*\).*/\1/p' "$1" | head -n 1 | grep . && return
		sleep 0.1
	done
	cat "$1" >&2
	return 1
}

# serve_dialect starts a model that writes calls in a dialect, and toolparse serve before it. $url
# is then where that listens, $model where the model does, and the log is $work/serve.log:
# serve_dialect BIN DIALECT [FLAGS...]
serve_dialect() {
	start "$work/model.log" "$1/textmodel" -listen 127.0.0.1:0 -d "$2"
	model=$(ready "$work/model.log")
	start "$work/serve.log" "$1/toolparse" serve --upstream "$model/v1" -d "$2" --listen 127.0.0.1:0 "${@:3}"
	url=$(ready "$work/serve.log")
}
