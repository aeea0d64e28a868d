package io.deepsite.provider;

/**
 * What a back-end can do.
 *
 * @param makesMachines false where machines exist already; then nothing is ever created or deleted
 * @param local it runs on this very host, so a lease can be enforced from here
 * @param endsMachines it terminates machines itself at the end of their lease
 * @param bootReadable what a machine was given before its first start, its SSH host key among it, can be read there by
 *     others for as long as it lives
 * @param lateHostKey its images may start their SSH server with a key of their own before they take the one that they were
 *     given: until they have, a machine that shows another key is waited for, never trusted
 */
public record Capabilities(
        boolean makesMachines, boolean local, boolean endsMachines, boolean bootReadable, boolean lateHostKey) {}
