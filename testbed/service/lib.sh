# shellcheck shell=bash disable=SC2154 # who sources this sets url and folder
# A service whose people log in at a provider of testbed/oidc, and the command line of one of them, who has a home of their own.
# Sourced after testbed/lib.sh by scripts that set url and folder; the service is ended with them.

export DEEPSITE_VAULT_KEY_FILE=$folder/vault.key
readonly kept=$folder/home/.config/deepsite/logins.json

types() { DEEPSITE_SERVICE=$url DEEPSITE_JAVA_OPTIONS=-Duser.home=$folder/home "${DEEPSITE_BIN:?}" "$@"; }

# serves GROUP <SETTINGS: the example, with the settings `login:` of stdin, for people of the group
serves() {
    rm -rf "$folder"
    mkdir -p "$folder/home"
    cp -r service-example "$folder/service"
    cat >>"$folder/service/service.yaml"
    sed -i -e "s/^listen: .*/listen: ${url#http://}/" -e "s/users: \[lab\]/users: [$1]/" "$folder/service/service.yaml"
    (umask 077 && head -c 24 /dev/urandom | base64 >"$DEEPSITE_VAULT_KEY_FILE")
    "${DEEPSITE_BIN:?}" serve "$folder/service/service.yaml" >"$folder/serve.log" 2>&1 &
    service=$!
    trap 'kill "$service"' EXIT
    wait_for is_ready
}

is_ready() { curl -sf -o /dev/null "$url/health/ready"; }

# The token of the login that is kept.
token() { jq -r '.services[].token' "$kept"; }

# No token is anywhere but in the file that only its owner reads: kept_secret FILE…
kept_secret() {
    [ "$(stat -c %a "$kept")" = 600 ]
    jq -r '.services[] | .token, .renewal.refreshToken // empty | select(. != "")' "$kept" >>"$folder/secrets"
    if grep -F -f "$folder/secrets" "$folder/serve.log" "$@"; then die 'a token was printed'; fi
}
