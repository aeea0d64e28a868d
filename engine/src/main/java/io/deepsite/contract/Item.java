package io.deepsite.contract;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.deepsite.diag.PlainText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** One desired property of a host, observable from outside. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Item.Repository.class, name = "repository"),
    @JsonSubTypes.Type(value = Item.DebianPackage.class, name = "package"),
    @JsonSubTypes.Type(value = Item.Group.class, name = "group"),
    @JsonSubTypes.Type(value = Item.User.class, name = "user"),
    @JsonSubTypes.Type(value = Item.Directory.class, name = "directory"),
    @JsonSubTypes.Type(value = Item.Link.class, name = "link"),
    @JsonSubTypes.Type(value = Item.File.class, name = "file"),
    @JsonSubTypes.Type(value = Item.Ini.class, name = "ini"),
    @JsonSubTypes.Type(value = Item.Line.class, name = "line"),
    @JsonSubTypes.Type(value = Item.Mount.class, name = "mount"),
    @JsonSubTypes.Type(value = Item.Kernel.class, name = "kernel"),
    @JsonSubTypes.Type(value = Item.Service.class, name = "service"),
    @JsonSubTypes.Type(value = Item.Probe.class, name = "probe")
})
public sealed interface Item {

    /** In the order of application. */
    enum Type {
        REPOSITORY,
        PACKAGE,
        GROUP,
        USER,
        DIRECTORY,
        LINK,
        FILE,
        INI,
        LINE,
        MOUNT,
        KERNEL,
        SERVICE,
        PROBE
    }

    enum Phase {
        BEFORE,
        AFTER
    }

    /**
     * Who owns a path: deepsite as a whole; a package whose conffile deepsite replaces; or others, while deepsite
     * manages a part.
     */
    enum Owner {
        OURS,
        PACKAGE,
        SHARED
    }

    /** Units to restart or reload, once, if the item changed. */
    record Notify(List<String> restarts, List<String> reloads) {
        public static final Notify NONE = new Notify(List.of(), List.of());

        public Notify {
            restarts = List.copyOf(restarts);
            reloads = List.copyOf(reloads);
        }
    }

    @JsonIgnore
    Type type();

    Phase phase();

    Notify wake();

    /** Unique on the host: {@code <type>:<name>}. */
    String id();

    /** The differences between the observed state and this item, field by field; empty if the item is satisfied. */
    List<Difference> differences(Seen seen);

    record Repository(
            String name,
            List<String> uris,
            List<String> suites,
            List<String> components,
            Optional<String> signedBy,
            Phase phase,
            Notify wake)
            implements Item {
        @Override
        public Type type() {
            return Type.REPOSITORY;
        }

        @Override
        public String id() {
            return "repository:" + name;
        }

        /** The deb822 text of the file on the host. */
        public String text() {
            return "Types: deb\nURIs: " + String.join(" ", uris) + "\nSuites: " + String.join(" ", suites)
                    + "\nComponents: " + String.join(" ", components) + "\n"
                    + signedBy.map(Repository::signedByField).orElse("");
        }

        /** A path, or an embedded key of several lines. */
        private static String signedByField(String key) {
            var lines = key.stripTrailing().lines().toList();
            if (lines.size() == 1) {
                return "Signed-By: " + lines.getFirst() + "\n";
            }
            return "Signed-By:\n"
                    + lines.stream()
                            .map(line -> " " + (line.isEmpty() ? "." : line) + "\n")
                            .collect(Collectors.joining());
        }

        @Override
        public List<Difference> differences(Seen seen) {
            return new Comparison(seen).field("sha256", Digests.sha256(text())).result();
        }
    }

    record DebianPackage(String name, boolean present, boolean held, Phase phase, Notify wake) implements Item {
        @Override
        public Type type() {
            return Type.PACKAGE;
        }

        @Override
        public String id() {
            return "package:" + name;
        }

        @Override
        public List<Difference> differences(Seen seen) {
            var comparison = new Comparison(seen).field("installed", present);
            return (present ? comparison.field("held", held) : comparison).result();
        }
    }

    record Group(String name, Optional<Integer> gid, boolean system, Phase phase, Notify wake) implements Item {
        @Override
        public Type type() {
            return Type.GROUP;
        }

        @Override
        public String id() {
            return "group:" + name;
        }

        @Override
        public List<Difference> differences(Seen seen) {
            return new Comparison(seen).field("exists", true).field("gid", gid).result();
        }
    }

    record User(
            String name,
            Optional<Integer> uid,
            Optional<String> group,
            List<String> groups,
            Optional<String> home,
            Optional<String> shell,
            boolean system,
            Optional<String> comment,
            Optional<List<String>> authorizedKeys,
            // Contracts that are recorded without it stay the same.
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<Boolean> locked,
            Phase phase,
            Notify wake)
            implements Item {
        public User {
            locked = locked.filter(set -> set);
            groups = List.copyOf(groups);
        }

        @Override
        public Type type() {
            return Type.USER;
        }

        @Override
        public String id() {
            return "user:" + name;
        }

        /** The content of the authorized_keys file on the host. */
        public Optional<String> keysText() {
            return authorizedKeys.map(keys -> keys.isEmpty() ? "" : String.join("\n", keys) + "\n");
        }

        @Override
        public List<Difference> differences(Seen seen) {
            var comparison = new Comparison(seen)
                    .field("exists", true)
                    .field("uid", uid)
                    .field("group", group)
                    .field("home", home)
                    .field("shell", shell)
                    .field("comment", comment);
            if (!new TreeSet<>(seen.list("groups")).containsAll(groups)) {
                comparison.differs("groups", String.join(",", seen.list("groups")), String.join(",", groups));
            }
            keysText().ifPresent(text -> comparison.field("keys_sha256", Digests.sha256(text)));
            if (!seen.text("expired").isEmpty()) {
                comparison.field("expired", locked.isPresent());
            }
            return comparison.result();
        }
    }

    record Directory(String path, String owner, String group, String mode, Phase phase, Notify wake) implements Item {
        @Override
        public Type type() {
            return Type.DIRECTORY;
        }

        @Override
        public String id() {
            return "directory:" + path;
        }

        @Override
        public List<Difference> differences(Seen seen) {
            return new Comparison(seen)
                    .field("exists", true)
                    .field("type", "directory")
                    .field("owner", owner)
                    .field("group", group)
                    .field("mode", mode)
                    .result();
        }
    }

    record Link(String path, String to, Phase phase, Notify wake) implements Item {
        @Override
        public Type type() {
            return Type.LINK;
        }

        @Override
        public String id() {
            return "link:" + path;
        }

        @Override
        public List<Difference> differences(Seen seen) {
            return new Comparison(seen)
                    .field("exists", true)
                    .field("target", to)
                    .result();
        }
    }

    /**
     * A whole file.
     *
     * @param body key of its text in {@link Contents}; for a text without markers also its digest on the host
     * @param secrets names of its secrets; a file with any is secret
     * @param unknowns its facts that are known only once the machines exist
     */
    record File(
            String path,
            String owner,
            String group,
            String mode,
            String body,
            List<String> secrets,
            List<Unknown> unknowns,
            Owner ownership,
            Phase phase,
            Notify wake)
            implements Item {
        public File {
            secrets = List.copyOf(secrets);
            unknowns = List.copyOf(unknowns);
        }

        @Override
        public Type type() {
            return Type.FILE;
        }

        @Override
        public String id() {
            return "file:" + path;
        }

        public boolean secret() {
            return !secrets.isEmpty();
        }

        /** Its text has markers, so its bytes are known only when the plan is resolved. */
        public boolean open() {
            return secret() || !unknowns.isEmpty();
        }

        public File closed(String sha256) {
            return new File(path, owner, group, mode, sha256, secrets, unknowns, ownership, phase, wake);
        }

        @Override
        public List<Difference> differences(Seen seen) {
            return new Comparison(seen)
                    .field("exists", true)
                    .field("type", "file")
                    .field("sha256", body)
                    .field("owner", owner)
                    .field("group", group)
                    .field("mode", mode)
                    .result();
        }
    }

    /** One option of an ini file that others own. Has exactly one of value(s) and {@code absent}. */
    record Ini(
            String path, String section, String option, List<String> values, boolean absent, Phase phase, Notify wake)
            implements Item {
        public Ini {
            values = List.copyOf(values);
        }

        @Override
        public Type type() {
            return Type.INI;
        }

        @Override
        public String id() {
            return "ini:" + path + ":" + section + ":" + option;
        }

        @Override
        public List<Difference> differences(Seen seen) {
            var comparison = new Comparison(seen);
            var found = seen.list("values");
            if (absent ? seen.flag("present") : !found.equals(values)) {
                comparison.differs("values", String.join("\n", found), absent ? "absent" : String.join("\n", values));
            }
            return comparison.result();
        }
    }

    /** A managed block of lines in a file that others own. */
    record Line(String path, String name, String block, Phase phase, Notify wake) implements Item {
        @Override
        public Type type() {
            return Type.LINE;
        }

        @Override
        public String id() {
            return "line:" + path + ":" + name;
        }

        /** The lines between the markers on the host, each with its line break. */
        public String text() {
            var lines = block.replaceAll("\n+$", "");
            return lines.isEmpty() ? "" : lines + "\n";
        }

        @Override
        public List<Difference> differences(Seen seen) {
            return new Comparison(seen)
                    .field("present", true)
                    .field("sha256", Digests.sha256(text()))
                    .result();
        }
    }

    record Mount(String path, String source, String fstype, String options, Phase phase, Notify wake) implements Item {
        @Override
        public Type type() {
            return Type.MOUNT;
        }

        @Override
        public String id() {
            return "mount:" + path;
        }

        @Override
        public List<Difference> differences(Seen seen) {
            return new Comparison(seen)
                    .field("mounted", true)
                    .field("source", source)
                    .result();
        }
    }

    /** @param what argument, module or sysctl */
    record Kernel(String what, String name, Optional<String> value, Phase phase, Notify wake) implements Item {
        @Override
        public Type type() {
            return Type.KERNEL;
        }

        @Override
        public String id() {
            return "kernel:" + what + ":" + name;
        }

        @Override
        public List<Difference> differences(Seen seen) {
            return new Comparison(seen)
                    .field("present", true)
                    .field("value", value)
                    .result();
        }
    }

    record Service(String unit, boolean enabled, boolean active, Phase phase, Notify wake) implements Item {
        @Override
        public Type type() {
            return Type.SERVICE;
        }

        @Override
        public String id() {
            return "service:" + unit;
        }

        @Override
        public List<Difference> differences(Seen seen) {
            var comparison = new Comparison(seen).field("active", active);
            // A static or generated unit cannot be enabled or disabled: the probe reports null.
            return (seen.text("enabled").isEmpty() ? comparison : comparison.field("enabled", enabled)).result();
        }
    }

    /** What a running process uses, by its own answer. */
    record Probe(String name, List<String> run, Optional<String> expect, int expectRc, Phase phase, Notify wake)
            implements Item {
        public Probe {
            run = List.copyOf(run);
        }

        @Override
        public Type type() {
            return Type.PROBE;
        }

        @Override
        public String id() {
            return "probe:" + name;
        }

        @Override
        public List<Difference> differences(Seen seen) {
            return new Comparison(seen)
                    .field("rc", expectRc)
                    .field("stdout", expect.map(String::strip))
                    .result();
        }
    }

    /** A fact that is known only once the machine exists. */
    record Unknown(String machine, String fact) {}

    /** One field of an item: seen against wanted. */
    record Difference(String field, String seen, String wanted) {
        public Difference {
            seen = PlainText.of(seen);
        }
    }

    /** Collects the differences of one item. */
    final class Comparison {
        private final Seen seen;
        private final List<Difference> differences = new ArrayList<>();

        Comparison(Seen seen) {
            this.seen = seen;
            seen.unknown().ifPresent(why -> differences.add(new Difference("unknown", why, "observable")));
        }

        Comparison field(String name, Object wanted) {
            if (seen.unknown().isEmpty() && !seen.text(name).equals(wanted.toString())) {
                differs(name, seen.text(name), wanted.toString());
            }
            return this;
        }

        Comparison field(String name, Optional<?> wanted) {
            wanted.ifPresent(value -> field(name, value));
            return this;
        }

        void differs(String name, String found, String wanted) {
            differences.add(new Difference(name, found, wanted));
        }

        List<Difference> result() {
            return List.copyOf(differences);
        }
    }
}
