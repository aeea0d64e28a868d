#!/bin/sh
# Acceptance tests of a Slurm cluster's storage: volumes that nodes share, and scratch space of jobs. Run as root on the controller.
# Prints one line per check:  CHECK <id> <passed|failed|busy> <node or -> <seconds> <message>, separated by tabs.
# Exit status 0: all checks ran, whatever their results. Environment:
# DEEPSITE_PATIENCE  longest wait for one test job, in seconds
# DEEPSITE_FRESH     hosts created or restarted in this apply; no other job can fill them, so busy counts as failed
set -u
export LC_ALL=C
cd /

user='deepsite-verify'
patience=${DEEPSITE_PATIENCE:-120}
fresh=${DEEPSITE_FRESH:-}
token=$user-$$-$(od -An -N8 -tx1 /dev/urandom | tr -d ' \n')
work=$(mktemp -d -p /run deepsite-verify.XXXXXX) || exit 1

now() { date +%s%3N; }

check() { # id status node start message
  took=$(($(now) - $4))
  printf 'CHECK\t%s\t%s\t%s\t%d.%03d\t%s\n' "$1" "$2" "$3" $((took / 1000)) $((took % 1000)) "$(printf %s "$5" | tr '\t\n' '  ')"
}

clean() {
  trap '' EXIT HUP INT TERM
  scancel --quiet --jobname="$token" 2>/dev/null
  rm -rf "$work"
}
trap clean EXIT
trap 'exit 1' HUP INT TERM

# Jobs inherit nothing from root's environment, and end when the time is over.
job() { # user node command…: its output is in $work/out
  as=$1
  on=$2
  shift 2
  timeout --kill-after=10 "$patience" runuser -u "$as" -- env -i PATH=/usr/local/bin:/usr/bin:/bin LC_ALL=C srun --quiet --chdir=/ \
    --partition="$user" --job-name="$token" --time=5 --mem=32 --nodelist="$on" --ntasks=1 "$@" </dev/null >"$work/out" 2>&1
}

# The result of a job that failed: busy if it only waited for others' jobs.
result() { # id node start message
  case " $fresh " in
    *" $2 "*) ;;
    *)
      if [ $(($(now) - $3)) -ge $((patience * 1000)) ] &&
        squeue --noheader --all --nodelist="$2" --states=running,completing --format=%j | grep -qvx "$token"; then
        check "$1" busy "$2" "$3" "the node runs jobs of others"
        return
      fi
      ;;
  esac
  check "$1" failed "$2" "$3" "$4: $(tail -c 300 "$work/out")"
}

# What the first machine wrote, every other one reads.
volume() { # name path here node…
  id=volume-$1
  file=$2/.deepsite-verify.$token
  here=$3
  shift 3
  first=$1
  start=$(now)
  # shellcheck disable=SC2016 # expanded by the job's shell
  if ! job root "$first" sh -c 'mountpoint -q "$1" || { echo "$1 is no mount"; exit 1; }; umask 077; echo "$2" >"$3"' sh "${file%/*}" "$token" "$file"; then
    result "$id" "$first" "$start" "writing to ${file%/*}"
    return
  fi
  check "$id" passed "$first" "$start" "wrote a file"
  for node in "$@"; do
    [ "$node" != "$first" ] || continue
    start=$(now)
    if job root "$node" cat "$file" && [ "$(cat "$work/out")" = "$token" ]; then
      check "$id" passed "$node" "$start" "read what $first wrote"
    else
      result "$id" "$node" "$start" "reading what $first wrote to ${file%/*}"
    fi
  done
  start=$(now)
  if [ -n "$here" ]; then
    if [ "$(cat "$file" 2>&1)" = "$token" ]; then
      check "$id" passed - "$start" "the controller read what $first wrote"
    else
      check "$id" failed - "$start" "the controller does not see what $first wrote to ${file%/*}"
    fi
  fi
  start=$(now)
  job root "$first" rm -f "$file" || result "$id" "$first" "$start" "deleting what was written"
}

# Nothing is written to an export of others.
foreign() { # name path node…
  id=volume-$1
  path=$2
  shift 2
  for node in "$@"; do
    start=$(now)
    # shellcheck disable=SC2016 # expanded by the job's shell
    if job root "$node" sh -c 'mountpoint -q "$1" && stat --file-system --format=%T "$1"' sh "$path" && grep -qx 'nfs.*' "$work/out"; then
      check "$id" passed "$node" "$start" "$path is mounted by NFS"
    else
      result "$id" "$node" "$start" "$path is not mounted by NFS"
    fi
  done
}

volume 'data' '/data' '' node-1 node-2
foreign 'old' '/old' node-1 node-2
exit 0
