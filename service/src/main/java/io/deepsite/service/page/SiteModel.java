package io.deepsite.service.page;

import java.util.List;
import java.util.Optional;

/**
 * The page of one site.
 *
 * @param badge class of its state
 * @param lead what is going on and what to do next
 * @param warning that its lease ends soon
 * @param changes whether the page follows events
 * @param picture SVG
 * @param actions what the person may do now
 * @param resizable whether the person may give other values to its parameters
 * @param certifiable whether the person may have an SSH key signed
 * @param shareable whether the person may share it, and end that
 * @param colleagues with whom it is shared
 */
public record SiteModel(
        Frame frame,
        String id,
        String title,
        String status,
        String badge,
        String lead,
        Optional<String> warning,
        boolean changes,
        Optional<Progress> progress,
        Optional<String> picture,
        List<Fact> facts,
        List<Share> cost,
        List<Step> plan,
        List<Fault> faults,
        List<Host> hosts,
        List<Check> checks,
        List<Action> actions,
        boolean extendable,
        boolean resizable,
        boolean certifiable,
        LoginModel login,
        boolean shareable,
        List<Colleague> colleagues,
        List<String> events) {

    public record Progress(int done, int steps, String left) {}

    public record Fact(String name, String value) {}

    public record Share(String name, String words, boolean fits) {}

    /** @param meaning what it destroys or interrupts; may be empty */
    public record Step(String change, String step, String reason, String meaning) {}

    /** @param id of the share */
    public record Colleague(String id, String name, String account) {}

    public record Fault(String code, String summary, String why, String fix) {}

    public record Host(String name, String address) {}

    public record Check(String outcome, String cluster, String what, String node, String message) {}

    /** @param path below the site's own */
    public record Action(String path, String label, boolean harmful) {}
}
