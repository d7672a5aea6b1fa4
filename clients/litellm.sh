#!/usr/bin/env bash
# Measures toolparse serve beside LiteLLM's proxy and a plain reverse proxy: the same upstream,
# request and client, in turns.
#
#   bash clients/litellm.sh
#
# It needs Go and python3. LiteLLM is installed from PyPI below $LITELLM (default: a folder that is
# removed at the end).
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

installed=${LITELLM:-$work/litellm}
[ -x "$installed/bin/litellm" ] || python_packages "$installed" 'litellm[proxy]'

upstream=127.0.0.1:18400 proxy=127.0.0.1:18401
cat >"$work/config.yaml" <<-END
	model_list:
	  - model_name: m-1
	    litellm_params: {model: openai/m-1, api_base: "http://$upstream/v1", api_key: none}
	litellm_settings: {telemetry: false, num_retries: 0}
END
export LITELLM_LOCAL_MODEL_COST_MAP=True LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY=true
export REPEATED_STREAMING_CHUNK_LIMIT=1000000 # the upstream repeats its words, after which it ends the stream
start "$work/log" "$installed/bin/litellm" --config "$work/config.yaml" --host "${proxy%:*}" --port "${proxy#*:}"
for _ in $(seq 300); do
	! python3 -c "import urllib.request; urllib.request.urlopen('http://$proxy/health/liveliness')" 2>/dev/null || break
	sleep 1
done
"$installed/bin/pip" list 2>/dev/null | grep -i '^litellm '
TOOLPARSE_BESIDE=http://$proxy TOOLPARSE_BESIDE_UPSTREAM=$upstream go test -run '^$' -bench Beside -benchtime 10x ./gateway |
	tr '\t' '\n' | grep -E 'first|all|requests|FAIL|status' || { tail -20 "$work/log"; exit 1; }
