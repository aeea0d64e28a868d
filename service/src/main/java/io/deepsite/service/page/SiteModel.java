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
 * @param certifiable whether the person may have an SSH key signed
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
        boolean certifiable,
        LoginModel login,
        List<String> events) {

    public record Progress(int done, int steps, String left) {}

    public record Fact(String name, String value) {}

    public record Share(String name, String words, boolean fits) {}

    public record Step(String change, String step, String reason) {}

    public record Fault(String code, String summary, String why, String fix) {}

    public record Host(String name, String address) {}

    public record Check(String outcome, String cluster, String what, String node, String message) {}

    /** @param path below the site's own */
    public record Action(String path, String label, boolean harmful) {}
}
