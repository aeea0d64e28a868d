#!/bin/sh
# deepsite: starts the packaged tool with the Java runtime beside it. Written by the build.
case $0 in */*) self=$0 ;; *) self=$(command -v -- "$0") ;; esac
if [ -L "$self" ]; then self=$(readlink -f -- "$self"); fi
home=$(cd -- "${self%/*}/.." && pwd -P) || exit 4
lib=$home/lib
# At its start the JVM loads everything that is in its AOT cache: commands that need little have a small one.
case ${1:-help} in
    help | -h | --help | version | --version | completion) cache=about ;;
    init | validate | explain | schema) cache=offline ;;
    *) cache=deepsite ;;
esac
# shellcheck disable=SC2086 # DEEPSITE_JAVA_OPTIONS is a list of words
exec "$home/runtime/bin/java" @JVM_FLAGS@ -XX:AOTCache="$lib/$cache.aot" \
    -Ddeepsite.home="$home" ${DEEPSITE_JAVA_OPTIONS:-} -cp "@CLASSPATH@" io.deepsite.cli.Main "$@"
