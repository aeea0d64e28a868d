package io.deepsite.apply;

import io.deepsite.plan.Plan;
import io.deepsite.plan.Step;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Steps inside hosts that have not begun, and how they share processes of Ansible: hosts with the same roles to come share
 * one, which runs all their roles that wait for no other host. Used by one thread.
 */
final class PlayQueue {
    /**
     * While machines are being made, hosts begin together once they are one for so many of their kind to come: a site of
     * thousands takes some fifty processes, and not one for each few hosts.
     */
    private static final int SHARE = 8;

    private final StepGraph graph;
    private final int most;
    private final Map<String, Integer> position = new HashMap<>();
    /** Those that can begin, in the plan's order. */
    private final SortedMap<Integer, Step> ready = new TreeMap<>();
    /** By host, all roles that have not begun, in the plan's order. */
    private final Map<String, SortedMap<Integer, Step>> toCome = new HashMap<>();

    /** By host, the stages that it had to come at first: its kind. Hosts that have begun are not in it. */
    private final Map<String, List<String>> kinds = new HashMap<>();

    /** Hosts of each kind that have not begun. */
    private final Map<List<String>, Integer> waiting = new HashMap<>();

    private final Set<String> aloneInFlight = new HashSet<>();
    private final Map<String, Integer> order = new HashMap<>();
    private final Set<String> rolling = new HashSet<>();

    /** @param most hosts in one process, unless their stage rolls over them */
    PlayQueue(Plan plan, StepGraph graph, int most) {
        this.graph = graph;
        this.most = most;
        plan.steps().forEach(step -> position.put(step.id(), position.size()));
        plan.stages().forEach(stage -> {
            order.put(stage.name(), order.size());
            if (stage.batch() > 0) {
                rolling.add(stage.name());
            }
        });
    }

    /** To be called once, when all steps are added. */
    void begin() {
        toCome.forEach((host, steps) -> {
            var kind = steps.values().stream().map(Configuration::play).toList();
            kinds.put(host, kind);
            waiting.merge(kind, 1, Integer::sum);
        });
    }

    /** A step that has not begun. */
    void add(Step step) {
        if (!isAlone(step)) {
            toCome.computeIfAbsent(Configuration.host(step), _ -> new TreeMap<>())
                    .put(position(step), step);
        }
        if (graph.isReady(step)) {
            ready.put(position(step), step);
        }
    }

    /** The step can begin now, unless it already has. */
    void ready(Step step) {
        if (isAlone(step) || toCome(step).containsKey(position(step))) {
            ready.put(position(step), step);
        }
    }

    boolean isWaiting(Step step) {
        return ready.containsKey(position(step));
    }

    /** The step ended without having begun. */
    void drop(Step step) {
        ready.remove(position(step));
        toCome(step).remove(position(step));
    }

    /** A process that ran these has ended. */
    void over(List<StepsOfPlay> plays) {
        plays.forEach(play -> aloneInFlight.remove(play.name()));
    }

    /**
     * Takes what can begin, as the plays of up to so many processes.
     *
     * @param making whether machines are still being made
     * @return everything that is ready, unless these are too few for plays that are alone in theirs
     */
    List<List<StepsOfPlay>> take(int processes, boolean making) {
        var taken = new ArrayList<List<StepsOfPlay>>();
        if (ready.isEmpty() || processes <= 0) {
            return taken;
        }
        for (var play : alone()) {
            if (taken.size() < processes) {
                aloneInFlight.add(play.name());
                play.steps().forEach(this::drop);
                taken.add(List.of(play));
            }
        }
        int left = processes - taken.size();
        if (left > 0) {
            var chains = chains(making);
            chains.forEach(chain -> chain.forEach(play -> play.steps().forEach(this::begun)));
            int own = chains.size() <= left ? chains.size() : left - 1;
            taken.addAll(chains.subList(0, own));
            if (own < chains.size()) {
                taken.add(merged(chains.subList(own, chains.size())));
            }
        }
        return taken;
    }

    /** Removals have variables and files of their own; a rolling stage counts its hosts within one play. */
    private boolean isAlone(Step step) {
        return !(step instanceof Step.OfRole role) || rolling.contains(role.stage());
    }

    private List<StepsOfPlay> alone() {
        var plays = new LinkedHashMap<String, List<Step>>();
        ready.values().stream()
                .filter(this::isAlone)
                .filter(step -> !aloneInFlight.contains(Configuration.play(step)))
                .forEach(step -> plays.computeIfAbsent(Configuration.play(step), _ -> new ArrayList<>())
                        .add(step));
        return plays.entrySet().stream()
                .map(play -> new StepsOfPlay(play.getKey(), play.getValue()))
                .toList();
    }

    /** The plays of hosts with the same roles; the longest first, for the most waits for them. */
    private List<List<StepsOfPlay>> chains(boolean making) {
        var hosts = ready.values().stream()
                .filter(step -> !isAlone(step))
                .map(Configuration::host)
                .distinct()
                .toList();
        var counts = hosts.stream()
                .filter(kinds::containsKey)
                .collect(Collectors.groupingBy(this::kind, Collectors.summingInt(_ -> 1)));
        var byHost = new LinkedHashMap<String, List<Step>>();
        hosts.stream()
                .filter(host -> !making || !kinds.containsKey(host) || isShare(kind(host), counts))
                .forEach(host -> byHost.put(host, chain(host)));
        var alike = new LinkedHashMap<List<String>, List<List<Step>>>();
        byHost.values()
                .forEach(steps -> alike.computeIfAbsent(
                                steps.stream().map(Configuration::play).toList(), _ -> new ArrayList<>())
                        .add(steps));
        return alike.values().stream()
                .flatMap(this::parts)
                .map(this::plays)
                .sorted(Comparator.<List<StepsOfPlay>>comparingInt(List::size).reversed())
                .toList();
    }

    /** Of about the same size. */
    private Stream<List<List<Step>>> parts(List<List<Step>> hosts) {
        int number = Math.ceilDiv(hosts.size(), most);
        int size = Math.ceilDiv(hosts.size(), number);
        return IntStream.range(0, number)
                .mapToObj(part -> hosts.subList(part * size, Math.min(hosts.size(), (part + 1) * size)));
    }

    private List<String> kind(String host) {
        return kinds.getOrDefault(host, List.of());
    }

    private boolean isShare(List<String> kind, Map<List<String>, Integer> counts) {
        int here = counts.getOrDefault(kind, 0);
        return here * SHARE >= waiting.getOrDefault(kind, 0) - here;
    }

    private void begun(Step step) {
        drop(step);
        var kind = kinds.remove(Configuration.host(step));
        if (kind != null) {
            waiting.merge(kind, -1, Integer::sum);
        }
    }

    /** The host's steps that wait for nothing, or only for others of these: a host that fails takes part in no later play. */
    private List<Step> chain(String host) {
        var ids = new HashSet<String>();
        var chain = new ArrayList<Step>();
        for (var step : toCome.getOrDefault(host, new TreeMap<>()).values()) {
            if (graph.waitsOnlyFor(step, ids)) {
                ids.add(step.id());
                chain.add(step);
            }
        }
        return chain;
    }

    private List<StepsOfPlay> plays(List<List<Step>> chains) {
        var plays = new TreeMap<Integer, List<Step>>();
        chains.forEach(chain ->
                chain.forEach(step -> plays.computeIfAbsent(order(Configuration.play(step)), _ -> new ArrayList<>())
                        .add(step)));
        return plays.values().stream()
                .map(steps -> new StepsOfPlay(Configuration.play(steps.getFirst()), steps))
                .toList();
    }

    private List<StepsOfPlay> merged(List<List<StepsOfPlay>> chains) {
        return plays(chains.stream()
                .map(chain ->
                        chain.stream().flatMap(play -> play.steps().stream()).toList())
                .toList());
    }

    private int order(String stage) {
        return order.getOrDefault(stage, Integer.MAX_VALUE);
    }

    private int position(Step step) {
        return position.getOrDefault(step.id(), Integer.MAX_VALUE);
    }

    private SortedMap<Integer, Step> toCome(Step step) {
        return toCome.getOrDefault(Configuration.host(step), new TreeMap<>());
    }
}
