# shellcheck shell=bash
# Where the tests' own PostgreSQL is. Sourced after testbed/lib.sh.

# shellcheck disable=SC2034 # used by whoever sources this
readonly postgresql_folder=${POSTGRESQL_TESTBED:-/var/tmp/deepsite-postgresql} postgresql_port=${POSTGRESQL_PORT:-15432}

# Prints the folder of the newest installed version's programs.
postgresql_bin() { find /usr/lib/postgresql -maxdepth 2 -name bin | sort -V | tail -n 1; }

# As its own user: PostgreSQL refuses to run as root. In a folder that this user can read.
as_postgres() { (cd / && setpriv --reuid postgres --regid postgres --init-groups "$@"); }
