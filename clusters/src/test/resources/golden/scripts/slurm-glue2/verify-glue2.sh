#!/bin/sh
# Acceptance tests of the information system of a Slurm cluster. Run as root on the controller.
# Prints one line per check:  CHECK <id> <passed|failed|busy> <node or -> <seconds> <message>, separated by tabs.
# Exit status 0: all checks ran, whatever their results. Environment:
# DEEPSITE_PATIENCE  longest wait for an answer, in seconds
set -u
export LC_ALL=C
cd /

patience=${DEEPSITE_PATIENCE:-120}
service='LAB_hpc'
work=$(mktemp -d -p /run deepsite-verify.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

now() { date +%s%3N; }

check() { # id status node start message
  took=$(($(now) - $4))
  printf 'CHECK\t%s\t%s\t%s\t%d.%03d\t%s\n' "$1" "$2" "$3" $((took / 1000)) $((took % 1000)) "$(printf %s "$5" | tr '\t\n' '  ')"
}

asks() { # filter: what the information system answers
  timeout 10 ldapsearch -LLL -x -o ldif_wrap=no -H ldap://127.0.0.1:2170 -b "GLUE2ServiceID=$service,GLUE2GroupID=resource,o=glue" "$1" 2>"$work/error"
}

# bdii tells of the cluster within two minutes after its start, and asks it again as often.
started=$(now)
until asks '(objectClass=GLUE2ComputingEndpoint)' | grep -qx 'GLUE2EndpointHealthState: ok'; do
  [ $((($(now) - started) / 1000)) -lt "$patience" ] || break
  sleep 1
done
told=$(asks '(objectClass=GLUE2ComputingEndpoint)' | sed -n 's/^GLUE2EntityCreationTime: //p')
if [ -z "$told" ]; then
  check glue2-published failed - "$started" "port 2170 does not tell of $service: $(tail -n 1 "$work/error")"
elif ! asks '(objectClass=GLUE2ComputingEndpoint)' | grep -qx 'GLUE2EndpointHealthState: ok'; then
  check glue2-published failed - "$started" "it tells that slurmctld does not answer"
elif [ $(($(date +%s) - $(date -d "$told" +%s))) -gt 600 ]; then
  check glue2-published failed - "$started" "it tells of $told: systemctl status bdii"
else
  check glue2-published passed - "$started" "$(asks '(objectClass=GLUE2Entity)' | grep -c '^dn: ') entities, of $told"
fi

started=$(now)
asks '(objectClass=GLUE2ComputingShare)' | sed -n 's/^GLUE2ComputingShareMappingQueue: //p' | sort >"$work/shares"
printf '%s\n' 'batch' 'short' | sort >"$work/partitions"
slots=$(asks '(objectClass=GLUE2ComputingManager)' | sed -n 's/^GLUE2ComputingManagerTotalSlots: //p')
if ! missing=$(diff "$work/partitions" "$work/shares"); then
  check glue2-shares failed - "$started" "shares and partitions differ: $(printf %s "$missing" | sed -n 's/^[<>]/&/p' | paste -s -d ,)"
elif [ "${slots:-0}" -lt '2' ]; then
  check glue2-shares failed - "$started" "${slots:-no} slots, the nodes have 2 processors"
else
  check glue2-shares passed - "$started" "$(wc -l <"$work/shares") shares, $slots slots"
fi
