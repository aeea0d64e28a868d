# shellcheck shell=bash disable=SC2034,SC2154
# Real guests in the OpenStack testbed: QEMU without acceleration under the testbed's own libvirtd. Sourced by `up` and
# `down` after lib.sh. Nova hosts whose name begins with "kvm" have them.

readonly guest_packages=(libvirt-daemon libvirt-daemon-driver-qemu python3-libvirt qemu-system-x86 qemu-utils genisoimage
    dnsmasq-base nftables iproute2)
readonly guest_services=(libvirt wires)

has_guests() {
    case ,$hosts in *,kvm*) ;; *) return 1 ;; esac
}

# libvirtd uses folders with built-in names: in its mount namespace they are the testbed's.
start_libvirt() {
    local folder=$state/libvirt file
    mkdir -p "$folder"/{etc,lib,run,cache,log,socket} /etc/libvirt /var/lib/libvirt /var/cache/libvirt /var/log/libvirt /run/libvirt
    cat >"$folder/etc/libvirtd.conf" <<END
unix_sock_dir = "$folder/socket"
unix_sock_rw_perms = "0700"
auth_unix_ro = "none"
auth_unix_rw = "none"
log_outputs = "3:stderr"
END
    # Guests run as the testbed's user. Without systemd nothing creates cgroups for them.
    cat >"$folder/etc/qemu.conf" <<'END'
user = "root"
group = "root"
security_driver = "none"
cgroup_controllers = [ ]
remember_owner = 0
namespaces = [ ]
stdio_handler = "file"
END
    # libvirtd looks up the user that its service's package creates before it reads that it should be another.
    for file in passwd group; do
        grep -v '^libvirt-qemu:' "/etc/$file" >"$folder/$file"
        chmod 644 "$folder/$file"
    done
    echo 'libvirt-qemu:x:64055:64055::/nonexistent:/usr/sbin/nologin' >>"$folder/passwd"
    echo 'libvirt-qemu:x:64055:' >>"$folder/group"
    # shellcheck disable=SC2016 # $1 is the inner shell's.
    start libvirt unshare -m --propagation private /bin/sh -c '
        for name in etc lib run cache log; do
            case $name in etc) to=/etc ;; run) to=/run ;; *) to=/var/$name ;; esac
            mount --bind "$1/$name" "$to/libvirt" || exit
        done
        mount --bind "$1/passwd" /etc/passwd && mount --bind "$1/group" /etc/group || exit
        exec libvirtd --config "$1/etc/libvirtd.conf"' - "$folder"
    await libvirt test -S "$folder/socket/libvirt-sock"
}

start_wires() { start wires /usr/bin/python3 "$PWD/$here/python/deepsite_wires.py" "$state/wires" "http://$address"; }

# Bridges and namespaces outlive the processes that created them; each is recorded before its creation.
remove_wires() {
    local kind name
    [ -e "$state/wires/made" ] || return 0
    while read -r kind name; do
        case $kind in
            link) ip link delete "$name" 2>/dev/null || true ;;
            netns) ip netns delete "$name" 2>/dev/null || true ;;
        esac
    done <"$state/wires/made"
    rm -f "$state/wires/made"
}
