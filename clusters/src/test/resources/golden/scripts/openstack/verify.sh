#!/bin/sh
# Acceptance tests of openstack-ansible: each step succeeded with its folder's current content. Run as root on its machine.
# Prints one line per check: CHECK <id> <passed|failed|busy> <node or -> <seconds> <message>, separated by tabs.
set -u
export LC_ALL=C
host=host

for step in bootstrap setup-hosts setup-infrastructure setup-openstack; do
  record=/var/lib/deepsite/openstack-ansible/$step
  digest=$(sed -n 's/^.*"digest": "\([0-9a-f]*\)".*$/\1/p' "$record" 2>/dev/null)
  if deepsite-openstack-ansible is-done "$step" "$digest"; then
    printf 'CHECK\t%s\tpassed\t%s\t0.000\t%s\n' "$step" "$host" "succeeded with its folder's current content"
  else
    printf 'CHECK\t%s\tfailed\t%s\t0.000\t%s\n' "$step" "$host" "has not succeeded with its folder's current content"
  fi
done
