package io.deepsite.provider;

/**
 * What the list of existing hosts says of one of them, and nothing checked.
 *
 * @param memoryMebibytes as the host's kernel counts it
 * @param container it cannot load modules, set sysctls or mount on its own
 */
public record DeclaredSize(int cpus, long memoryMebibytes, boolean container) {}
