package io.deepsite.opennebula;

import io.deepsite.opennebula.oca.Element;
import io.deepsite.opennebula.oca.OneVersion;
import io.deepsite.opennebula.oca.Template;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The end of a machine's lease: in its tags, and as a scheduled action of OpenNebula. Up to 6.0 such actions are part of
 * the user's template, which is written as a whole; since 6.2 they have their own calls.
 */
final class VmLease {
    /** Marks deepsite's action: OpenNebula keeps unknown attributes. */
    private static final String MARK = "DEEPSITE";

    private static final Set<String> NO_REPEAT = Set.of("", "-1");

    private final Api api;

    VmLease(Api api) {
        this.api = api;
    }

    /** Writes the tag last: while it holds the old end, the next run moves the end again. */
    void move(int id, Ownership ownership) {
        var vm = api.vms().info(id);
        if (api.version().atLeast(OneVersion.V6_2)) {
            var template = new Template();
            ownership.into(template);
            schedule(id, ours(vm.all("TEMPLATE/" + VmTemplate.SCHEDULED)), ownership);
            api.vms().merge(id, template);
        } else {
            api.vms().replace(id, whole(vm, ownership));
        }
    }

    private void schedule(int id, List<Element> ours, Ownership ownership) {
        var end = ownership.tags().expiresAt();
        if (end.isEmpty()) {
            ours.forEach(action -> api.vms().deleteScheduled(id, action.id()));
            return;
        }
        var template = new Template().vector(VmTemplate.SCHEDULED, ending(end.get(), api.version(), 0));
        if (ours.isEmpty()) {
            api.vms().addScheduled(id, template);
            return;
        }
        api.vms().updateScheduled(id, ours.getFirst().id(), template);
        ours.stream().skip(1).forEach(action -> api.vms().deleteScheduled(id, action.id()));
    }

    /**
     * Repeating ends and other actions are not deepsite's. An action that does not repeat has no REPEAT before 6.8, and
     * -1 from then on.
     */
    private static List<Element> ours(List<Element> actions) {
        return actions.stream()
                .filter(action ->
                        action.text("ACTION").equals(VmTemplate.END) && NO_REPEAT.contains(action.text("REPEAT")))
                .toList();
    }

    private Template whole(Element vm, Ownership ownership) {
        var template = new Template();
        long free = 0;
        for (var child : vm.first("USER_TEMPLATE").map(Element::children).orElse(List.of())) {
            boolean scheduled = child.name().equals(VmTemplate.SCHEDULED);
            boolean replaced = child.name().equals(Ownership.ATTRIBUTE)
                    || (scheduled && !child.text(MARK).isEmpty());
            if (!replaced) {
                template.copy(child);
                free = scheduled ? Math.max(free, child.number("ID") + 1) : free;
            }
        }
        ownership.into(template);
        var end = ownership.tags().expiresAt();
        if (end.isPresent()) {
            template.vector(VmTemplate.SCHEDULED, ending(end.get(), api.version(), free));
        }
        return template;
    }

    /**
     * The end in seconds since 1970, which every version accepts.
     *
     * @param id unique among the machine's actions; up to 6.0 the client has to choose it
     */
    static Map<String, String> ending(Instant end, OneVersion version, long id) {
        var action = new TreeMap<>(Map.of("ACTION", VmTemplate.END, "TIME", String.valueOf(end.getEpochSecond())));
        if (!version.atLeast(OneVersion.V6_2)) {
            action.put("ID", String.valueOf(id));
            action.put(MARK, "YES");
        }
        return action;
    }
}
