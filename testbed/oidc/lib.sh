# shellcheck shell=bash
# Providers from the distribution's packages, unpacked and not installed. Sourced after testbed/lib.sh.

readonly cache=${DEEPSITE_CACHE:-/var/cache/deepsite}/oidc
readonly keyring=${DEEPSITE_KEYRING:-/usr/share/keyrings/debian-archive-keyring.gpg}

# Prints a folder with packages and their dependencies, without running their scripts: unpacked PACKAGE…
unpacked() {
    local key mirror work root
    key=$(apt-cache policy "$@" | sha256sum | cut -c 1-20)
    root=$cache/$key
    if [ ! -d "$root" ]; then
        # shellcheck disable=SC2016 # $(…) is apt's own format language.
        mirror=$(apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' | sort -u)
        mkdir -p "$cache"
        rm -rf "$cache"/.root-*
        work=$(mktemp -d "$cache/.root-XXXXXX")
        mmdebstrap --quiet --mode=root --variant=extract --format=directory --keyring="$keyring" --include="$(IFS=,; printf '%s' "$*")" \
            --aptopt='Acquire::Retries "3"' --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
            "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$work/root" - <<<"$mirror" >&2
        mv -T "$work/root" "$root"
        rm -rf "$work"
    fi
    printf '%s\n' "$root"
}
