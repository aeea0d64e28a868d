package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * An operation, where it begins, and how it is gone on with after it was killed.
 *
 * @param start brings the site where the operation begins
 * @param act what is killed
 * @param again what somebody does then
 * @param after what is done in the end, so that a plan has to be empty
 * @param mayBeUndone whether a site on which nothing was done yet is whole, too: another operation continues it
 */
public record KilledOperation(
        String name,
        Consumer<KillableSite> start,
        Consumer<KillableSite> act,
        Consumer<KillableSite> again,
        Consumer<KillableSite> after,
        boolean mayBeUndone) {

    private static final String DESTROY = "destroy";

    public static final String BAKE = "image bake";

    /** Asks a back-end to give new keys to a machine that runs. */
    public static final String ADOPT_WITHOUT_KEYS = "adopt, all lost";

    /** Where a data disk is a resource of its own. */
    public static final String ADD_A_DISK = "add a data disk";

    public static final List<KilledOperation> ALL = List.of(
            repeated("create", site -> machines(site, 1, "1GiB", 0, ""), KillableSite::apply),
            repeated(
                    "update",
                    site -> {
                        standing(site, 1, "");
                        machines(site, 1, "2GiB", 0, "");
                    },
                    KillableSite::apply),
            repeated(
                    "replace",
                    site -> {
                        standing(site, 1, "");
                        machines(site, 1, "1GiB", 1, "");
                    },
                    KillableSite::apply),
            repeated(
                    ADD_A_DISK,
                    site -> {
                        standing(site, 1, "");
                        site.writeWithDisk(groups(site, 1, "1GiB", 0, ""));
                    },
                    KillableSite::apply),
            repeated(
                    "delete a machine",
                    site -> {
                        standing(site, 2, "");
                        machines(site, 1, "1GiB", 0, "");
                    },
                    KillableSite::apply),
            repeated(DESTROY, site -> standing(site, 1, ""), KillableSite::destroy),
            repeated(
                    "begin a lease",
                    site -> {
                        standing(site, 1, "");
                        machines(site, 1, "1GiB", 0, "lease: {duration: 4h}\n");
                    },
                    KillableSite::apply),
            new KilledOperation(
                    "lease extend",
                    site -> standing(site, 1, "lease: {duration: 4h}\n"),
                    site -> site.extend(Duration.ofHours(1)),
                    KillableSite::apply,
                    _ -> {},
                    true),
            new KilledOperation(
                    "lease reap",
                    site -> {
                        standing(site, 1, "lease: {duration: 4h}\n");
                        site.later(Duration.ofHours(5));
                    },
                    KillableSite::reap,
                    KillableSite::reap,
                    KillableSite::apply,
                    false),
            thenApplied(
                    ADOPT_WITHOUT_KEYS,
                    site -> {
                        standing(site, 1, "");
                        site.loseAll();
                    },
                    KillableSite::adopt),
            thenApplied(
                    "adopt, keys kept",
                    site -> {
                        standing(site, 1, "");
                        site.lose("state.json", "state.json.backup");
                    },
                    KillableSite::adopt),
            thenApplied(
                    "gc",
                    site -> {
                        standing(site, 2, "");
                        site.orphan("node-2");
                        machines(site, 1, "1GiB", 0, "");
                    },
                    KillableSite::collect),
            repeated(
                    BAKE,
                    site -> {
                        SamplePlays.install(site.tools());
                        machines(site, 1, "1GiB", 0, "clusters: {keys: {kind: role, role: munge, hosts: [node]}}\n");
                    },
                    KillableSite::bake),
            repeated(
                    "secrets set",
                    site -> standing(site, 1, ""),
                    site -> site.setSecret("slurmdbd_password", "one of the test")));

    private static KilledOperation repeated(String name, Consumer<KillableSite> start, Consumer<KillableSite> act) {
        return new KilledOperation(name, start, act, act, _ -> {}, false);
    }

    private static KilledOperation thenApplied(String name, Consumer<KillableSite> start, Consumer<KillableSite> act) {
        return new KilledOperation(name, start, act, act, KillableSite::apply, false);
    }

    private static void standing(KillableSite site, int count, String more) {
        machines(site, count, "1GiB", 0, more);
        site.apply();
    }

    private static void machines(KillableSite site, int count, String memory, int image, String more) {
        site.write(groups(site, count, memory, image, more));
    }

    private static String groups(KillableSite site, int count, String memory, int image, String more) {
        return "machines:\n  node: {image: %s, count: %d, cpus: 1, memory: %s}\n%s"
                .formatted(site.backEnd().images().get(image), count, memory, more);
    }

    /**
     * How often an operation passes points of one name, and at how many of them it was killed: where nothing was written or
     * sent since the point before, a kill leaves the same. Each kill was survived.
     */
    public record Tried(int passes, int kills) {
        Tried and(boolean killed) {
            return new Tried(passes + 1, kills + (killed ? 1 : 0));
        }
    }

    /**
     * Kills it at each pass of each point, one run for each, and goes on.
     *
     * @param folder empty
     * @return by point
     */
    public SortedMap<String, Tried> tryAll(Path folder, MemoryBackEnd backEnd) {
        var site = new KillableSite(folder, backEnd);
        start.accept(site);
        var begin = site.keep();
        var whole = new ArrayList<String>();
        if (mayBeUndone) {
            whole.add(ended(site, again));
            begin.run();
        }
        whole.add(ended(site, act));
        begin.run();
        var passes = site.counted(act);
        var points = passes.stream().map(KillableSite.Pass::point).toList();
        var tried = new TreeMap<String, Tried>();
        for (int pass = 1; pass <= passes.size(); pass++) {
            boolean differs = passes.get(pass - 1).differs();
            if (differs) {
                begin.run();
                assertThat(site.killed(act, pass)).isEqualTo(points.subList(0, pass));
                survives(site, name + ", killed at pass " + pass + ", " + points.get(pass - 1), whole);
            }
            tried.put(
                    points.get(pass - 1),
                    tried.getOrDefault(points.get(pass - 1), new Tried(0, 0)).and(differs));
        }
        return tried;
    }

    private void survives(KillableSite site, String what, List<String> whole) {
        try {
            site.inOneProcess(() -> {
                assertThat(whole).as(what).contains(ended(site, again));
                assertThat(site.faults(Set.of(DESTROY, BAKE).contains(name)))
                        .as(what)
                        .isEmpty();
                return what;
            });
        } catch (RuntimeException e) {
            throw new AssertionError(what, e);
        }
    }

    private String ended(KillableSite site, Consumer<KillableSite> how) {
        how.accept(site);
        after.accept(site);
        return site.portrait();
    }
}
