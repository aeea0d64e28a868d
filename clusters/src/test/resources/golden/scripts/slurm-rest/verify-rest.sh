#!/bin/sh
# Acceptance tests of Slurm's REST interface. Run as root on the controller.
# Prints one line per check:  CHECK <id> <passed|failed|busy> <node or -> <seconds> <message>, separated by tabs.
# Exit status 0: all checks ran, whatever their results. Environment:
# DEEPSITE_PATIENCE  longest wait for one test job, in seconds
set -u
export LC_ALL=C
cd /

user='deepsite-verify'
port='6820'
patience=${DEEPSITE_PATIENCE:-120}
run=$user-rest-$$
work=$(mktemp -d -p /run deepsite-verify.XXXXXX) || exit 1

now() { date +%s%3N; }

check() { # id status node start message
  took=$(($(now) - $4))
  printf 'CHECK\t%s\t%s\t%s\t%d.%03d\t%s\n' "$1" "$2" "$3" $((took / 1000)) $((took % 1000)) "$(printf %s "$5" | tr '\t\n' '  ')"
}

clean() {
  trap '' EXIT HUP INT TERM
  scancel --quiet --user="$user" --jobname="$run" 2>/dev/null
  rm -rf "$work"
}
trap clean EXIT
trap 'exit 1' HUP INT TERM

# The token goes in by standard input: neither arguments nor environment of a process show it.
rest() { # METHOD PATH [BODY-FILE]: prints the status, and writes the answer into $work/answer
  python3 -c '
import sys, urllib.error, urllib.request
user, port, method, path, answer = sys.argv[1:6]
headers = {"X-SLURM-USER-NAME": user, "Content-Type": "application/json"}
token = sys.stdin.read().strip()
if token:
    headers["X-SLURM-USER-TOKEN"] = token
body = open(sys.argv[6], "rb").read() if len(sys.argv) > 6 else None
request = urllib.request.Request("http://127.0.0.1:%s%s" % (port, path), body, headers, method=method)
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
try:
    reply = opener.open(request, timeout=30)
except urllib.error.HTTPError as fault:
    reply = fault
with open(answer, "wb") as out:
    out.write(reply.read())
print(reply.getcode())
' "$user" "$port" "$1" "$2" "$work/answer" ${3:+"$3"} 2>>"$work/error"
}

# systemd calls it started before it listens.
started=$(now)
until ss -Hltn "sport = :$port" | grep -q . || [ $(($(now) - started)) -ge $((patience * 1000)) ]; do sleep 0.2; done
status=$(rest GET /slurm/v0.0.38/jobs </dev/null)
if [ "$status" = 401 ]; then
  check rest-closed passed - "$started" 'without a token nothing is answered'
else
  check rest-closed failed - "$started" "without a token the answer is ${status:-none}: $(tail -n 1 "$work/error")"
fi

started=$(now)
(umask 077 && scontrol token username="$user" lifespan=600 2>"$work/error" | sed -n 's/^SLURM_JWT=//p' >"$work/token")
cat >"$work/job.json" <<END
{"script": "#!/bin/sh\nexit 0\n", "job": {"name": "$run", "partition": "$user", "time_limit": 5, "memory_per_node": 32,
 "current_working_directory": "/", "standard_output": "/dev/null", "environment": {"PATH": "/usr/bin:/bin"} } }
END
status=$(rest POST /slurm/v0.0.38/job/submit "$work/job.json" <"$work/token")
job=$(sed -n 's/.*"job_id": *\([0-9][0-9]*\).*/\1/p' "$work/answer" | head -n 1)
if [ "$status" != 200 ] || [ -z "$job" ]; then
  check rest-job failed - "$started" "a job was not taken (${status:-no answer}): $(grep -h -m 1 '"error":\|"description":' "$work/answer" "$work/error" 2>/dev/null)"
  exit 0
fi
while :; do
  state=$(scontrol --oneliner show job "$job" 2>/dev/null | sed -n 's/.* JobState=\([A-Z_]*\).*/\1/p')
  case $state in
  PENDING | RUNNING | CONFIGURING | COMPLETING) ;;
  *) break ;;
  esac
  if [ $(($(now) - started)) -ge $((patience * 1000)) ]; then break; fi
  sleep 0.5
done
owner=$(scontrol --oneliner show job "$job" 2>/dev/null | sed -n 's/.* UserId=\([^( ]*\).*/\1/p')
if [ "$state" = COMPLETED ] && [ "$owner" = "$user" ]; then
  check rest-job passed - "$started" "job $job of $owner ran"
elif [ "$state" = PENDING ] && [ -n "$(squeue --noheader --all --states=running)" ]; then
  check rest-job busy - "$started" "not free within $patience s"
else
  check rest-job failed - "$started" "job $job of ${owner:-nobody} is ${state:-gone}"
fi
