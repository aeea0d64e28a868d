#!/bin/sh
# A stand-in of Apptainer: apptainer --silent exec --containall --no-home FOLDER COMMAND…, and --version.
set -eu
if [ "$*" = --version ]; then
    echo 'apptainer version 0.0.1-stand-in'
    exit 0
fi
[ "$1 $2 $3 $4" = '--silent exec --containall --no-home' ]
root=$5
shift 5
exec unshare --user --map-root-user /usr/sbin/chroot "$root" "$@"
