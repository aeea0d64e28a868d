package io.deepsite.state;

/**
 * What a host is that existed before deepsite, as it last told: files of other hosts speak of it also while it is silent.
 *
 * @param container it cannot load modules, set sysctls or mount on its own
 */
public record RecordedSize(int cpus, long memoryMebibytes, boolean container) {}
