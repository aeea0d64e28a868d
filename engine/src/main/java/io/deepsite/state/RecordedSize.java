package io.deepsite.state;

/**
 * The size of a host that existed before deepsite, as last observed: other hosts' files use it even while it is
 * unreachable.
 *
 * @param container it cannot load modules, set sysctls or mount on its own
 */
public record RecordedSize(int cpus, long memoryMebibytes, boolean container) {}
