# shellcheck shell=bash disable=SC2034
# Common functions of the scripts of the OpenStack testbed. Sourced after testbed/lib.sh, in the root of the project.

readonly base=${OS_TESTBED:-/var/tmp/deepsite-openstack}
readonly address=${OS_TESTBED_ADDRESS:-127.0.0.1}
readonly state=$base/state
readonly here=testbed/openstack
readonly hosts=${OS_TESTBED_HOSTS:-cpu1,cpu2,gpu1}
readonly socket=$state/mariadb.sock
readonly services=(mariadb keystone placement neutron glance nova cinder)
readonly ports=(5000 8778 9696 9292 8774 8776)
readonly schemas=(keystone placement neutron glance nova_api nova nova_cell0 cinder)

. testbed/openstack/guests.sh

# The distribution's Python, even if PATH has another one first; and no proxy for local connections.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
unset PYTHONHOME PYTHONPATH PYENV_VERSION http_proxy https_proxy HTTP_PROXY HTTPS_PROXY all_proxy ALL_PROXY
for variable in "${!OS_@}"; do
    case $variable in OS_TESTBED*) export "${variable?}" ;; *) unset "$variable" ;; esac
done
unset variable
export no_proxy='*' PYTHONPATH=$PWD/$here/python PYTHONDONTWRITEBYTECODE=1 XDG_CACHE_HOME=$base/cache

# True while the service that this testbed started runs. Each has the state folder on its command line.
alive() { is_process "$(cat "$state/pid/$1" 2>/dev/null)" "$state/"; }

# Starts a service in its own session: start NAME COMMAND…
start() {
    local name=$1
    shift
    (
        cd "$state" || exit
        exec setsid "$@" </dev/null >>"$state/log/$name.log" 2>&1 9>&-
    ) &
    echo $! >"$state/pid/$name"
}

# Waits for a service that this script started; prints the end of its log if it died or does not answer: await NAME COMMAND…
# Asks for the process alone, not for its command line as `alive` does: on a busy machine that is still this script's for a moment.
await() {
    local name=$1 begun=$SECONDS
    shift
    until "$@"; do
        if ! kill -0 "$(cat "$state/pid/$name")" 2>/dev/null || [ $((SECONDS - begun)) -ge "${TESTBED_PATIENCE:-900}" ]; then
            tail -n 25 "$state/log/$name.log" | sed 's/^/    | /' >&2
            die "$name did not start; see $state/log/$name.log"
        fi
        sleep 0.2
    done
}

answers() { curl -s -o /dev/null -m 10 "http://$address:$1/"; }
sql() { mariadb --no-defaults -S "$socket" "$@"; }
sql_answers() { sql -e 'select 1' >/dev/null 2>&1; }

# Prints the processes of this testbed, recorded or not: a killed `up` may not have recorded one.
processes() {
    local file
    for file in /proc/[0-9]*/cmdline; do
        file=${file%/cmdline}
        case $(readlink "$file/exe" 2>/dev/null) in
            */mariadbd | */python3* | */uwsgi* | */libvirtd | */qemu-system* | */dnsmasq) if is_process "${file#/proc/}" "$state/"; then printf '%s\n' "${file#/proc/}"; fi ;;
        esac
    done
}

none_left() { [ -z "$(processes)" ]; }

# Ends everything: the database last and gracefully.
stop_all() {
    local pid
    for pid in $(processes); do
        if ! is_process "$pid" mariadbd; then kill -TERM "$pid" 2>/dev/null || true; fi
    done
    for pid in $(processes); do
        if is_process "$pid" mariadbd; then kill -TERM "$pid" 2>/dev/null || true; fi
    done
    if ! within 15 none_left; then
        for pid in $(processes); do kill -KILL "$pid" 2>/dev/null || true; done
        wait_for none_left || die "cannot end: $(processes | paste -sd ' ')"
    fi
    rm -rf "$state/pid"
    remove_wires
}

# Runs the command of a service whose package has none: manage MODULE ARGUMENTS…
manage() {
    local module=$1
    shift
    /usr/bin/python3 -c "import sys; sys.argv[0] = '$module'; from $module import main; sys.exit(main())" "$@"
}

# For expendable data: nothing is flushed to disk for safety.
start_mariadb() {
    start mariadb mariadbd --no-defaults --user=root --datadir="$state/mariadb" --socket="$socket" --pid-file="$state/mariadb.pid" \
        --skip-networking --skip-log-bin --performance-schema=0 --max-connections=300 --character-set-server=utf8mb3 \
        --innodb-flush-log-at-trx-commit=0 --innodb-doublewrite=0 --innodb-flush-method=nosync \
        --innodb-buffer-pool-size=128M --innodb-log-file-size=32M
    await mariadb sql_answers
}

# Fills in the configuration from its parts. Bash replaces internally: no secret is ever on a command line.
write_configuration() {
    local file text name common credentials
    mkdir -p "$state"/{etc,log,pid,lock,no-policies,mariadb,neutron,nova/instances,cinder} "$state"/glance/{images,staging,tasks}
    credentials=$(<"$here/etc/credentials.part")
    common=$(<"$here/etc/common.part")
    for file in "$here"/etc/*.conf "$here"/etc/*.ini "$here"/etc/*.json; do
        name=${file##*/}
        text=$(<"$file")
        text=${text//@COMMON@/"$common"}
        text=${text//@CREDENTIALS@/"$credentials"}
        text=${text//@DB@/mysql+pymysql://root@localhost}
        text=${text//@DB_OPTIONS@/"?unix_socket=$socket&charset=utf8"}
        text=${text//@IDENTITY@/http://$address:5000}
        text=${text//@ADDRESS@/"$address"}
        text=${text//@STATE@/"$state"}
        text=${text//@SERVICE_PASSWORD@/"${service_password:-}"}
        printf '%s\n' "$text" >"$state/etc/$name"
    done
}

# A service behind uWSGI: start_uwsgi NAME PORT PROCESSES APPLICATION VARIABLE=VALUE…
start_uwsgi() {
    local name=$1 text
    text=$(<"$state/etc/uwsgi.ini")
    text=${text//@PORT@/$2}
    text=${text//@PROCESSES@/$3}
    text=${text//@APPLICATION@/$4}
    shift 4
    printf '%s\n' "$text" >"$state/etc/uwsgi-$name.ini"
    start "$name" env "$@" uwsgi_python3 --ini "$state/etc/uwsgi-$name.ini"
}

start_keystone() {
    start_uwsgi keystone 5000 2 'keystone.server.wsgi:initialize_public_application()' \
        OS_KEYSTONE_CONFIG_DIR="$state/etc" OS_KEYSTONE_CONFIG_FILES=keystone.conf
}

# Two keys, in the format of `keystone-manage fernet_setup`.
write_fernet_keys() {
    local key
    mkdir -p "$state/fernet"
    for key in 0 1; do head -c 32 /dev/urandom | base64 | tr '+/' '-_' >"$state/fernet/$key"; done
}
