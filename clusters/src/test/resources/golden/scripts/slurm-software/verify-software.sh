#!/bin/sh
# Acceptance tests of a Slurm cluster's software: MPI between nodes, modules and containers in jobs of an unprivileged user.
# Run as root on the controller. Prints one line per check:  CHECK <id> <passed|failed|busy> <node or -> <seconds> <message>,
# separated by tabs. Exit status 0: all checks ran, whatever their results. Environment:
# DEEPSITE_PATIENCE  longest wait for one test job, in seconds
# DEEPSITE_FRESH     hosts created or restarted in this apply; no other job can fill them, so busy counts as failed
set -u
export LC_ALL=C
cd /

user='deepsite-verify'
partition=$user
patience=${DEEPSITE_PATIENCE:-120}
fresh=${DEEPSITE_FRESH:-}
nodes='node-1 node-2'
two='2'
run=$user-software-$$
token=$run-$(od -An -N8 -tx1 /dev/urandom | tr -d ' \n')
work=$(mktemp -d -p /run deepsite-verify.XXXXXX) || exit 1

now() { date +%s%3N; }

check() { # id status node start message
  took=$(($(now) - $4))
  printf 'CHECK\t%s\t%s\t%s\t%d.%03d\t%s\n' "$1" "$2" "$3" $((took / 1000)) $((took % 1000)) "$(printf %s "$5" | tr '\t\n' '  ')"
}

# Jobs inherit nothing from root's environment.
as_user() {
  runuser -u "$user" -- env -i PATH=/usr/local/bin:/usr/bin:/bin LC_ALL=C HOME="/home/$user" USER="$user" LOGNAME="$user" "$@"
}

clean() {
  trap '' EXIT HUP INT TERM
  scancel --quiet --user="$user" --jobname="$run" 2>/dev/null
  rm -rf "$work"
}
trap clean EXIT
trap 'exit 1' HUP INT TERM

submit() { # command…: a job step, killed and cancelled when the patience is over
  as_user timeout --kill-after=10 "$patience" srun --quiet --partition="$partition" --job-name="$run" --time=5 --chdir=/ "$@"
}

# A step failed: busy when it waited for nodes that run other jobs, else failed.
not_run() { # id node start exit-status file-with-errors
  if [ "$4" != 124 ]; then
    check "$1" failed "$2" "$3" "$(tail -n 2 "$5") (exit status $4)"
    return
  fi
  where=$2
  if [ "$2" = - ]; then where=$(printf %s "$nodes" | tr ' ' ','); fi
  jobs=$(squeue --noheader --all --nodelist="$where" --states=running,completing --format='%A %j' | awk -v own="$run" '$2 != own { text = text " " $1 } END { print text }')
  made_now=''
  for host in $(printf %s "$where" | tr ',' ' '); do
    case " $fresh " in
    *" $host "*) made_now=yes ;;
    esac
  done
  if [ -n "$jobs" ] && [ -z "$made_now" ]; then
    check "$1" busy "$2" "$3" "not free within $patience s; runs job$jobs"
  else
    check "$1" failed "$2" "$3" "no result within $patience s"
  fi
}
# Ranks on different nodes send each other their numbers around a ring. Without --mpi: PMIx is the cluster's default.
cat >"$work/ring.py" <<'END'
import platform
import sys
from mpi4py import MPI

ranks = MPI.COMM_WORLD
got = ranks.sendrecv(ranks.rank, dest=(ranks.rank + 1) % ranks.size, source=(ranks.rank - 1) % ranks.size)
everything = ranks.gather((got, platform.node()))
if ranks.rank == 0:
    library = MPI.Get_library_version().split(",")[0]
    around = [each[0] for each in everything] == [(each - 1) % ranks.size for each in range(ranks.size)]
    print(library, ranks.size, len({each[1] for each in everything}), "around" if around else "lost", *sorted({each[1] for each in everything}), sep="|")
sys.stdout.flush()
END
started=$(now)
submit --nodes="$two" --ntasks="$two" --ntasks-per-node=1 --mem=128 python3 -c "$(cat "$work/ring.py")" >"$work/out" 2>"$work/err" </dev/null
status=$?
result=$(cut -d '|' -f 2-4 "$work/out")
if [ "$status" -ne 0 ]; then
  not_run mpi - "$started" "$status" "$work/err"
elif [ "$result" = "$two|$two|around" ]; then
  check mpi passed - "$started" "$(cut -d '|' -f 1 "$work/out"): $two ranks on $(cut -d '|' -f 5- "$work/out" | tr '|' ' ') answer each other"
else
  check mpi failed - "$started" "$two ranks on as many nodes, by PMIx, said: $(cat "$work/out")"
fi
# Where two nodes have cards: how much goes from one to the other.
cat >"$work/bandwidth" <<'END'
set -eu
[ "$(ulimit -l)" = unlimited ] || { echo "a job may lock only $(ulimit -l) KiB of memory" >&2; exit 1; }
ls /sys/class/infiniband 2>/dev/null | grep -q . || { echo none; exit 0; }
case $SLURM_PROCID in
0) ib_write_bw --report_gbits ;;
*)
  server=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
  for try in 1 2 3 4 5; do
    if ib_write_bw --report_gbits "$server" >/dev/null 2>&1; then exit 0; fi
    sleep "$try"
  done
  exit 1
  ;;
esac
END
started=$(now)
submit --nodes="$two" --ntasks="$two" --ntasks-per-node=1 --mem=128 sh -c "$(cat "$work/bandwidth")" >"$work/out" 2>"$work/err" </dev/null
status=$?
if [ "$status" -ne 0 ]; then
  not_run infiniband - "$started" "$status" "$work/err"
elif grep -qx none "$work/out"; then
  check infiniband failed - "$started" 'a node has no card in /sys/class/infiniband; see rdma link, and ibstat, there'
else
  check infiniband passed - "$started" "$(awk '$1 ~ /^[0-9]+$/ && NF >= 4 { value = $4 } END { print value " Gbit/s between two nodes" }' "$work/out")"
fi
# On each node: what a user's job finds. Prints lines of id, passed or failed, and a message, separated by tabs.
cat >"$work/job" <<'END'
token=$1
at=$(mktemp -d)
trap 'chmod -R u+w "$at"; rm -rf "$at"' EXIT

tell() { # id output-wanted version: compares what $at/out holds with what was wanted
  if [ "$(cat "$at/out")" = "$2" ]; then
    printf '%s\tpassed\t%s\n' "$1" "$3"
  else
    printf '%s\tfailed\t%s\n' "$1" "$(cat "$at/out" "$at/err" | tail -n 3 | tr '\t\n' '  ')"
  fi
}
{
  module load openmpi/system
  echo "$SLURM_MPI_TYPE"
  for folder in /usr/local/share/modulefiles /home/modules; do
    case ":$MODULEPATH:" in
    *":$folder:"*) ;;
    *) echo "$folder is not in MODULEPATH" ;;
    esac
  done
} >"$at/out" 2>"$at/err" </dev/null
tell modules pmix "lmod $(module --version 2>&1 | grep -o '[0-9][0-9.]*[0-9]' | head -n 1)"
# An image of nothing but this host's shell, its libraries and a text.
root=$at/root
mkdir -p "$root/bin" "$root/dev" "$root/etc" "$root/home" "$root/proc" "$root/root" "$root/sys" "$root/tmp" "$root/run" "$root/var/tmp" "$root/usr/bin"
cp "$(readlink -f /bin/sh)" "$root/bin/sh"
ldd /bin/sh | grep -o '/[^ )]*' | while read -r library; do
  mkdir -p "$root${library%/*}"
  cp -L "$library" "$root$library"
done
echo "$token" >"$root/token"
echo 'root:x:0:0::/:/bin/sh' >"$root/etc/passwd"
touch "$root/etc/group" "$root/etc/hosts" "$root/etc/resolv.conf" "$root/etc/localtime"
tar -C "$root" -cf "$at/image.tar" .
read_it='IFS= read -r line </token; echo "$line"'
{
  podman import --quiet "$at/image.tar" "deepsite-verify-$token" >"$at/id" &&
    podman run --rm --network none "deepsite-verify-$token" /bin/sh -c "$read_it"
  podman rmi --force "deepsite-verify-$token" >/dev/null
} >"$at/out" 2>"$at/err" </dev/null
tell podman "$token" "$(podman --version)"
ch-run --no-home "$root" -- /bin/sh -c "$read_it" >"$at/out" 2>"$at/err" </dev/null
tell charliecloud "$token" "ch-run $(ch-run --version 2>&1)"
apptainer --silent exec --containall --no-home "$root" /bin/sh -c "$read_it" >"$at/out" 2>"$at/err" </dev/null
tell apptainer "$token" "$(apptainer --version)"
{
  export UDOCKER_DIR="$at/udocker"
  udocker --quiet import "$at/image.tar" deepsite-verify:1 >"$at/id" &&
    udocker --quiet create --name=verify deepsite-verify:1 >"$at/id" &&
    udocker --quiet run --nobanner verify /bin/sh -c "$read_it"
} >"$at/out" 2>"$at/err" </dev/null
tell udocker "$token" "udocker $(udocker version 2>/dev/null | sed -n 's/^version: *//p')"
exit 0
END
for node in $nodes; do
  started=$(now)
  submit --nodelist="$node" --nodes=1 --ntasks=1 --mem=192 bash -l -c "$(cat "$work/job")" job "$token" >"$work/out" 2>"$work/err" </dev/null
  status=$?
  if [ "$status" -ne 0 ]; then
    not_run software "$node" "$started" "$status" "$work/err"
    continue
  fi
  while IFS="$(printf '\t')" read -r id verdict message; do
    check "$id" "$verdict" "$node" "$started" "$message"
  done <"$work/out"
done
exit 0
