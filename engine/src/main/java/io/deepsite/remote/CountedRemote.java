package io.deepsite.remote;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts the connections that it opens. */
public final class CountedRemote implements Remote {
    private final Remote remote;
    private final Map<String, Integer> opened = new ConcurrentHashMap<>();

    public CountedRemote(Remote remote) {
        this.remote = remote;
    }

    @Override
    public RemoteHost open(SshTarget target) {
        opened.merge(target.name(), 1, Integer::sum);
        return remote.open(target);
    }

    /** How often each host was asked for a connection so far, by name. */
    public Map<String, Integer> opened() {
        return Map.copyOf(opened);
    }
}
