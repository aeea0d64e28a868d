# shellcheck shell=bash
# Common parts of the recipes of guest images. Sourced by each, which has `set -euo pipefail` and calls make_image.
#
#   DEEPSITE_CACHE                                folder that caches finished images by checksum (default /var/cache/deepsite)
#   DEEPSITE_IMAGE_MAX_AGE                        days until a cached image is rebuilt (default 14)
#
# A guest reaches `running`; eth0 requests IPv4 by DHCP; sshd listens, with keys only. The image contains no host key, machine id,
# password or cloud-init: deepsite writes keys through the files API before the first start. The host name is the instance's
# name, or user.deepsite.hostname in its configuration.

readonly cache=${DEEPSITE_CACHE:-/var/cache/deepsite}
readonly max_age=${DEEPSITE_IMAGE_MAX_AGE:-14}

recipe=$(readlink -f "$0")
readonly recipe

# Set by the recipe.
distribution='' suite='' version=''
sources=()           # lines of sources.list
keyring=''           # file with the keys of these archives
guest_packages=()
build_packages=()    # the packages of this machine that building needs
finish=''            # shell commands that run in the image once, before the common ones

die() {
    printf 'image-recipes/%s: %s\n' "$distribution" "$*" >&2
    exit 1
}

# Prints the address of the mirror of an archive that this machine's apt uses, without its last slash: apt_mirror ORIGIN LABEL
apt_mirror() {
    local found
    # shellcheck disable=SC2016 # $(…) is apt's own format language.
    found=$(apt-get indextargets --format '$(LABEL)|$(REPO_URI)' 'Created-By: Packages' "Origin: $1" |
        sed -n "s/^$2|//p" | head -n 1)
    printf '%s' "${found%/}"
}

# Sets keyring, if the recipe does not yet; may use the folder $work.
find_keyring() { :; }

# Prints the checksum of everything that the image is made of.
image_key() {
    {
        cat "${recipe%/*}/lib.sh" "$recipe"
        printf '%s\n' "$suite" "${sources[@]}"
        cat /usr/local/share/ca-certificates/*.crt 2>/dev/null || true
    } | sha256sum | cut -c 1-20
}

# make_image OUT_DIR
make_image() {
    local out=$1 key kept tool
    key=$(image_key)
    mkdir -p "$out"
    out=$(readlink -f "$out")
    kept=$cache/images/$distribution-$version-$key
    if [ -n "$(find "$kept/rootfs.squashfs" -mtime "-$max_age" 2>/dev/null)" ]; then
        cp -f --reflink=auto "$kept/metadata.tar.xz" "$kept/rootfs.squashfs" "$out/"
        printf '%s/%s: kept image %s\n' "$distribution" "$version" "$key" >&2
        return
    fi

    for tool in mmdebstrap mksquashfs xz; do
        command -v "$tool" >/dev/null || die "$tool is missing: apt-get install ${build_packages[*]}"
    done
    [ "$(id -u)" -eq 0 ] || die "must run as root: a root file system holds files of many owners"

    mkdir -p "$cache/images"
    work=$(mktemp -d "$cache/images/.build-XXXXXX")
    trap 'rm -rf --one-file-system "$work"' EXIT
    find_keyring
    build_rootfs
    mksquashfs "$work/rootfs" "$work/rootfs.squashfs" -comp zstd -Xcompression-level 3 -noappend -quiet -no-progress \
        2>&1 | { grep -v '^Unrecognised xattr prefix system.posix_acl' || true; } >&2
    write_metadata "$key"

    rm -rf "$kept" "$cache/images/$distribution-$version"-*
    mkdir "$work/kept"
    mv "$work/metadata.tar.xz" "$work/rootfs.squashfs" "$work/kept/"
    mv "$work/kept" "$kept"
    cp -f --reflink=auto "$kept/metadata.tar.xz" "$kept/rootfs.squashfs" "$out/"
    printf '%s/%s: built image %s\n' "$distribution" "$version" "$key" >&2
}

build_rootfs() {
    printf '%s\n' "${sources[@]}" >"$work/sources.list"
    write_guest_files "$work/guest"
    local include
    include=$(IFS=, && printf '%s' "${guest_packages[*]}")
    # The excludes apply to the build only: packages that a site installs later have manual pages.
    # shellcheck disable=SC2016 # $1 is the hook's own argument.
    TMPDIR=$work mmdebstrap --quiet --mode=root --variant=minbase --format=directory --keyring="$keyring" \
        --include="$include" \
        --aptopt='Acquire::Retries "3"' \
        --dpkgopt=force-unsafe-io \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        --customize-hook="sync-in $work/guest /" \
        --customize-hook='chroot "$1" /bin/sh /finish && rm "$1/finish"' \
        "$suite" "$work/rootfs" - <"$work/sources.list" >&2
}

# Everything that differs from the plain packages, laid out as in the guest; /finish runs there once and is removed.
write_guest_files() {
    local root=$1
    mkdir -p "$root"/etc/{ssh/sshd_config.d,systemd/network,apt/apt.conf.d} "$root/etc/systemd/system/ssh.service.d" \
        "$root/usr/local/share/ca-certificates" "$root/etc/systemd/system"
    cat >"$root/etc/systemd/network/eth0.network" <<'END'
[Match]
Name=eth0

[Network]
DHCP=ipv4
LinkLocalAddressing=no
IPv6AcceptRA=no

[DHCPv4]
ClientIdentifier=mac
UseDomains=yes
END
    cat >"$root/etc/ssh/sshd_config.d/deepsite.conf" <<'END'
# One host key, the one that deepsite knows before the first connection.
HostKey /etc/ssh/ssh_host_ed25519_key
PasswordAuthentication no
KbdInteractiveAuthentication no
END
    # A manually launched instance has no injected key; one that deepsite created always has.
    cat >"$root/etc/systemd/system/ssh-host-key.service" <<'END'
[Unit]
Description=Make an SSH host key if none was injected
Before=ssh.service
ConditionPathExists=!/etc/ssh/ssh_host_ed25519_key

[Service]
Type=oneshot
ExecStart=/usr/bin/ssh-keygen -q -N "" -t ed25519 -f /etc/ssh/ssh_host_ed25519_key

[Install]
WantedBy=ssh.service
END
    # Behind an inspecting proxy, https in the guest needs the same extra CAs as on this machine.
    local certificate
    for certificate in /usr/local/share/ca-certificates/*.crt; do
        if [ -e "$certificate" ]; then cp "$certificate" "$root/usr/local/share/ca-certificates/"; fi
    done
    {
        printf 'set -eu\n%s\n' "$finish"
        cat <<'END'
rm -f /etc/ssh/ssh_host_*_key /etc/ssh/ssh_host_*_key.pub
rm -f /etc/dpkg/dpkg.cfg.d/99mmdebstrap /etc/apt/apt.conf.d/99mmdebstrap
update-ca-certificates >/dev/null 2>&1
systemctl --quiet enable systemd-networkd systemd-resolved ssh ssh-host-key
# Nothing may take dpkg's lock or change packages outside the site's plan; a container has no binfmt, console or disks.
systemctl --quiet mask apt-daily.timer apt-daily-upgrade.timer systemd-binfmt.service e2scrub_all.timer
systemctl --quiet disable getty@tty1.service
install -d -m 0700 /root/.ssh
ln -sf ../run/systemd/resolve/stub-resolv.conf /etc/resolv.conf
: >/etc/machine-id
rm -f /var/lib/dbus/machine-id /etc/hostname
rm -rf /var/cache/apt/* /var/lib/apt/lists/* /var/log/apt /var/log/dpkg.log /var/log/bootstrap.log
END
    } >"$root/finish"
}

write_metadata() {
    local key=$1
    mkdir -p "$work/meta/templates"
    cat >"$work/meta/metadata.yaml" <<END
architecture: $(dpkg --print-architecture | sed 's/amd64/x86_64/; s/arm64/aarch64/')
creation_date: $(date +%s)
properties:
  os: $distribution
  release: $suite
  version: "$version"
  description: ${distribution^} $version ($suite), built by deepsite
  deepsite.hostname: user.deepsite.hostname
  deepsite.recipe: "$key"
templates:
  /etc/hostname:
    when: [create, copy]
    template: hostname.tpl
  /etc/hosts:
    when: [create, copy]
    template: hosts.tpl
END
    cat >"$work/meta/templates/hostname.tpl" <<'END'
{{ config_get("user.deepsite.hostname", container.name) }}
END
    cat >"$work/meta/templates/hosts.tpl" <<'END'
127.0.0.1 localhost
127.0.1.1 {{ config_get("user.deepsite.hostname", container.name) }}
::1 localhost ip6-localhost ip6-loopback
END
    tar -C "$work/meta" -cJf "$work/metadata.tar.xz" --owner=0 --group=0 metadata.yaml templates
}

# recipe_main RELEASES COMMAND…: the commands of a recipe; its function `release` sets the variables above for one release
recipe_main() {
    local releases=$1
    shift
    case ${1:-} in
        packages) printf '%s\n' "${build_packages[@]}" ;;
        build)
            [ $# -eq 3 ] || die "usage: $distribution build RELEASE OUT_DIR"
            release "$2" || die "unknown release '$2': $releases are known"
            make_image "$3"
            ;;
        key)
            [ $# -eq 2 ] || die "usage: $distribution key RELEASE"
            release "$2" || die "unknown release '$2': $releases are known"
            image_key
            ;;
        *) die "usage: $distribution build RELEASE OUT_DIR | $distribution key RELEASE | $distribution packages" ;;
    esac
}
