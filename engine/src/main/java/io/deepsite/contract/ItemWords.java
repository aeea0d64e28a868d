package io.deepsite.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Items of contracts in words. */
public final class ItemWords {
    /** Fields that the sign of the change already shows. */
    private static final Set<String> EXISTENCE = Set.of("exists", "present", "installed", "mounted", "type");

    private ItemWords() {}

    /** {@code file:/etc/motd} as {@code file /etc/motd}. */
    public static String name(String id) {
        int colon = id.indexOf(':');
        return colon < 0 ? id : id.substring(0, colon) + " " + id.substring(colon + 1);
    }

    /** Details of a new item beyond its name; may be empty. */
    public static String details(Item item) {
        return Marker.masked(words(item));
    }

    private static String words(Item item) {
        return switch (item) {
            case Item.Repository repository -> String.join(" ", repository.uris());
            case Item.DebianPackage it -> it.held() ? "held" : "";
            case Item.Group group -> group.gid().map(gid -> "gid " + gid).orElse("");
            case Item.User user -> user(user);
            case Item.Directory it -> it.owner() + ":" + it.group() + " " + it.mode();
            case Item.Link link -> "-> " + link.to();
            case Item.File file -> file.owner() + ":" + file.group() + " " + file.mode();
            case Item.Ini ini -> ini.absent() ? "absent" : "= " + String.join(", ", ini.values());
            case Item.Line _ -> "";
            case Item.Mount mount -> "from " + mount.source() + " (" + mount.fstype() + ")";
            case Item.Kernel kernel -> kernel.value().map(value -> "= " + value).orElse("");
            case Item.Service service ->
                (service.enabled() ? "enabled" : "disabled") + ", " + (service.active() ? "running" : "stopped");
            case Item.Probe probe -> String.join(" ", probe.run());
        };
    }

    /** What happens to the item of a removed role, if the sign does not show it. */
    public static String leaving(Item item) {
        return switch (item) {
            case Item.User _ -> "locked, its files stay";
            case Item.DebianPackage it when it.present() -> "if it came with the role";
            default -> "";
        };
    }

    /** {@code restarts slurmctld.service}; empty for none. */
    public static String wakes(Item item) {
        var words = new ArrayList<String>();
        if (!item.wake().restarts().isEmpty()) {
            words.add("restarts " + String.join(", ", item.wake().restarts()));
        }
        if (!item.wake().reloads().isEmpty()) {
            words.add("reloads " + String.join(", ", item.wake().reloads()));
        }
        return String.join("; ", words);
    }

    /**
     * One difference as a line; empty if the sign or a diff of the text already shows it.
     *
     * @param hasDiff whether the diff of the text is shown
     */
    public static Optional<String> difference(Item.Difference difference, boolean hasDiff) {
        var field = difference.field();
        if (field.equals("unknown")) {
            return Optional.of("cannot be read: " + difference.seen());
        }
        if (field.equals("sha256") || field.equals("content")) {
            var missing = difference.wanted().replaceFirst("^\\*\\*\\*( with )?", "");
            return hasDiff
                    ? Optional.empty()
                    : Optional.of(
                            field.equals("content") && !missing.isEmpty()
                                    ? "content: known after " + missing
                                    : "content differs");
        }
        if (field.equals("keys_sha256")) {
            return Optional.of("authorized keys differ");
        }
        if (field.equals("expired")) {
            return Optional.of(difference.wanted().equals("true") ? "is locked from now on" : "may log in again");
        }
        if (EXISTENCE.contains(field) && (difference.seen().isEmpty() || isFlag(difference))) {
            return Optional.empty();
        }
        return Optional.of(field + ": " + value(difference.seen()) + " -> " + value(difference.wanted()));
    }

    /** The same as drift: what was applied, and what is there now. */
    public static String drift(Item.Difference difference) {
        return switch (difference.field()) {
            case "exists", "present", "installed", "mounted" ->
                difference.seen().equals("true") ? "was added" : "is gone";
            case "sha256", "content" -> "content was changed";
            case "keys_sha256" -> "authorized keys were changed";
            case "expired" -> difference.seen().equals("true") ? "was locked" : "was unlocked";
            case "unknown" -> "cannot be read: " + difference.seen();
            case "done" -> "is no longer done";
            default ->
                difference.field() + ": " + value(difference.seen()) + ", was applied as " + value(difference.wanted());
        };
    }

    /** Whether the item itself is missing: its other differences then do not matter. */
    public static boolean isGone(Item.Difference difference) {
        return EXISTENCE.contains(difference.field()) && difference.seen().equals("false");
    }

    public static String value(String text) {
        return text.isEmpty() ? "(none)" : text.strip().replace("\n", ", ");
    }

    private static boolean isFlag(Item.Difference difference) {
        return difference.seen().equals("true") || difference.seen().equals("false");
    }

    private static String user(Item.User user) {
        var words = new ArrayList<String>();
        user.uid().ifPresent(uid -> words.add("uid " + uid));
        if (!user.groups().isEmpty()) {
            words.add("groups " + String.join(", ", user.groups()));
        }
        user.locked().ifPresent(_ -> words.add("locked"));
        user.authorizedKeys().map(List::size).ifPresent(keys -> words.add(keys + (keys == 1 ? " key" : " keys")));
        return String.join(", ", words);
    }
}
