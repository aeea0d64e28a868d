package io.deepsite.ansible;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Keeps what a run of Ansible reports. */
final class Listening implements AnsibleRunner.Listener {
    /** By play and host. */
    final Map<String, Map<String, HostResult>> results = new TreeMap<>();

    private final List<String> seen;

    /** @param seen gets a line for each begin and end of a play */
    Listening(List<String> seen) {
        this.seen = seen;
    }

    @Override
    public void begun(Bundle.Play play) {
        seen.add("begun " + play.name());
    }

    @Override
    public void event(Bundle.Play play, AnsibleEvent event) {}

    @Override
    public void ended(Bundle.Play play, Map<String, HostResult> ended) {
        seen.add("ended " + play.name());
        results.put(play.name(), ended);
    }
}
