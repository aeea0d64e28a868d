package io.deepsite.ansible;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Works out from the events of one Ansible process how each host ended in each play. Used by one thread. */
final class PlayProgress {
    private final List<Bundle.Play> plays;
    private final AnsibleRunner.Listener listener;
    /** Index of the running play; -1 before the first. */
    private int current = -1;

    private final Set<String> failedBefore = new HashSet<>();
    private final Map<String, HostResult.Failed> faults = new TreeMap<>();
    private final Set<String> begun = new HashSet<>();
    private final Set<String> changed = new HashSet<>();
    private final Set<String> done = new HashSet<>();

    PlayProgress(List<Bundle.Play> plays, AnsibleRunner.Listener listener) {
        this.plays = List.copyOf(plays);
        this.listener = listener;
    }

    void take(AnsibleEvent event) {
        var named = indexOf(event.play());
        // A rolling play begins anew with each batch.
        if (event.event().equals("play") && named > current) {
            closeUntil(named, "Ansible did not say how it ended");
            begin(named);
        }
        if (current < 0) {
            return;
        }
        note(event);
        listener.event(plays.get(current), event);
    }

    /** @param words why a host that was begun has no result */
    void over(String words) {
        closeUntil(plays.size(), words);
    }

    private int indexOf(@Nullable String name) {
        for (int index = 0; index < plays.size(); index++) {
            if (plays.get(index).name().equals(name)) {
                return index;
            }
        }
        return -1;
    }

    private void begin(int play) {
        current = play;
        failedBefore.addAll(faults.keySet());
        faults.clear();
        begun.clear();
        changed.clear();
        done.clear();
        listener.begun(plays.get(play));
    }

    private void note(AnsibleEvent event) {
        var host = event.host();
        if (host == null) {
            return;
        }
        begun.add(host);
        if (event.isFault()) {
            var item = event.failed_item();
            faults.putIfAbsent(
                    host,
                    new HostResult.Failed(
                            event.task() == null ? "" : event.task(),
                            item == null ? "" : item,
                            event.message(),
                            event.unreachable()));
            return;
        }
        if (event.changed()) {
            changed.add(host);
        }
        if (event.ends()) {
            done.add(host);
        }
    }

    /** Reports the running play and all that were passed over. */
    private void closeUntil(int next, String words) {
        for (int index = Math.max(current, 0); index < next; index++) {
            var play = plays.get(index);
            boolean ran = index == current;
            var results = new TreeMap<String, HostResult>();
            for (var host : play.hosts()) {
                results.put(host, ran ? result(play, host, words) : neverBegun(index, words));
            }
            listener.ended(play, results);
        }
    }

    private HostResult result(Bundle.Play play, String host, String words) {
        if (done.contains(host)) {
            return new HostResult.Done(changed.contains(host));
        }
        var fault = faults.get(host);
        if (fault != null) {
            return fault;
        }
        boolean waits = play.cancellable() || (play.batch() > 0 && !faults.isEmpty());
        return failedBefore.contains(host) || (!begun.contains(host) && waits)
                ? new HostResult.NotTried()
                : new HostResult.Failed("", "", words, false);
    }

    /** If not even the first play began, Ansible cannot run: trying again would not help. */
    private static HostResult neverBegun(int index, String words) {
        return index == 0 ? new HostResult.Failed("", "", words, false) : new HostResult.NotTried();
    }
}
