# shellcheck shell=bash disable=SC2154 # who sources this sets url and folder
# A service with the test login, and what somebody asks of its API. Sourced after testbed/lanes/lib.sh by lanes that set url and folder.

is_ready() { curl -sf -o /dev/null "$url/health/ready"; }

starts() {
    "$DEEPSITE_BIN" serve "$folder/service.yaml" --test-login >>"$LANE_OUT/serve.log" 2>&1 &
    echo $! >"$LANE_OUT/pid"
    wait_for is_ready
}

pid() { cat "$LANE_OUT/pid"; }

stops() {
    kill "-$1" "$(pid)" 2>/dev/null || true
    wait_for test ! -e "/proc/$(pid)"
}

# asks PATH [CURL-OPTION…]: as Alice, or as WHO, with what a page of the service sends.
asks() {
    local path=$1 name=${WHO:-Alice Example} of=${WHO:+.$WHO}
    shift
    if [ ! -e "$LANE_OUT/csrf$of" ]; then
        curl -sf -o /dev/null -c "$LANE_OUT/cookies$of" -H "Origin: $url" --data-urlencode "name=$name" -d 'groups=lab&to=/' "$url/login/test"
        curl -sf -b "$LANE_OUT/cookies$of" -H 'Accept: text/html' "$url/" | sed -n 's/.*name="csrf" value="\([^"]*\).*/\1/p' | head -n 1 >"$LANE_OUT/csrf$of"
    fi
    curl -sf -b "$LANE_OUT/cookies$of" -H "Origin: $url" -H "X-CSRF-Token: $(cat "$LANE_OUT/csrf$of")" -H 'Content-Type: application/json' "$@" "$url/v1$path"
}

is_in_state() { [ "$(asks "/sites/$1" | jq -r .status)" = "$2" ]; }

is_over() { asks "/sites/$1" | jq -e '.status == "ready" or .status == "failed"' >/dev/null; }

confirmed() { wait_for is_in_state "$1" planned && asks "/sites/$1/confirm" -d '{}' >/dev/null && wait_for is_over "$1" && is_in_state "$1" ready; }

# Deletes what LXD has of the sites on a network of the service's: sweeps_orders NETWORK
sweeps_orders() {
    local name
    for name in $(lxc query '/1.0/instances?recursion=1' | jq -r --arg network "$1" '.[] | select(.config["user.deepsite.site"] // "" | test("^(slurm|kubernetes|site)-")) |
        select(.expanded_devices.eth0.network == $network) | .config["user.deepsite.site"]' | sort -u); do sweep_site "$name"; done
    lxc network delete "$1" 2>/dev/null || true
}
