package io.deepsite.contract;

import io.deepsite.site.PathName;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An imperative part of a role; the plan shows it as a line of its own.
 *
 * @param does what it does, for the plan
 * @param done argv of a probe on the host; exit 0 means done
 * @param run tasks file of the role
 * @param undo tasks file of the role that reverts it
 * @param whyNoUndo the reason if there is no undo
 * @param digest of both tasks files, so that a changed action is detected
 * @param onDelete undo also runs before the machine itself is deleted
 */
public record Action(
        String id,
        String does,
        List<String> done,
        String run,
        Optional<String> undo,
        Optional<String> whyNoUndo,
        Impact blast,
        SortedMap<String, Object> with,
        String digest,
        boolean onDelete) {

    public enum Impact {
        NOTHING,
        RESTART,
        DRAIN,
        WIPE,
        REBOOT
    }

    public Action {
        PathName.require("tasks file", run);
        undo.ifPresent(file -> PathName.require("tasks file", file));
        done = List.copyOf(done);
        with = Collections.unmodifiableSortedMap(new TreeMap<>(with));
        if (undo.isPresent() == whyNoUndo.isPresent()) {
            throw new IllegalArgumentException("action " + id + " needs an undo, or the reason why there is none");
        }
    }

    /** Passed to its tasks as {@code action_args}. */
    public Map<String, Object> args() {
        return with;
    }
}
