package io.deepsite.render;

import io.deepsite.contract.Contents;
import io.deepsite.contract.Digests;
import io.deepsite.contract.Item;
import io.deepsite.contract.Item.Notify;
import io.deepsite.contract.Item.Phase;
import io.deepsite.contract.Marker;
import io.deepsite.contract.Unknowns;
import io.deepsite.diag.Failure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Builds items from rendered entries of contract.yml.
 *
 * @param texts collects the texts of files by digest, as {@link Contents} holds them
 */
record ItemReader(String role, TemplateRenderer templates, Map<String, ?> scope, Map<String, String> texts) {
    private static final Set<String> TYPES = Set.of(
            "package",
            "group",
            "user",
            "directory",
            "link",
            "file",
            "ini",
            "line",
            "mount",
            "kernel",
            "service",
            "probe",
            "repository");

    Item item(RenderedEntry entry) {
        var types = TYPES.stream().filter(entry::has).sorted().toList();
        // `group` may also be an attribute: of a user, or of anything that has an owner.
        var type = types.stream()
                .filter(name -> !name.equals("group") || types.size() == 1)
                .toList();
        if (type.size() != 1) {
            throw entry.fault("An item has exactly one of "
                    + String.join(", ", TYPES.stream().sorted().toList()) + ".");
        }
        var wake = new Notify(entry.texts("restarts"), entry.texts("reloads"));
        var item = switch (type.getFirst()) {
            case "package" -> debianPackage(entry, wake);
            case "group" ->
                new Item.Group(
                        entry.needed("group"), entry.number("gid"), entry.flag("system", false), before(entry), wake);
            case "user" -> user(entry, wake);
            case "directory" ->
                new Item.Directory(
                        entry.path("directory"), owner(entry), group(entry), entry.mode("0755"), before(entry), wake);
            case "link" -> new Item.Link(entry.path("link"), entry.needed("to"), before(entry), wake);
            case "file" -> file(entry, wake);
            case "ini" -> ini(entry, wake);
            case "line" -> line(entry, wake);
            case "mount" ->
                new Item.Mount(
                        entry.path("mount"),
                        entry.needed("source"),
                        entry.needed("fstype"),
                        entry.text("options").orElse("defaults"),
                        before(entry),
                        wake);
            case "kernel" -> kernel(entry, wake);
            case "service" ->
                new Item.Service(
                        entry.needed("service"),
                        entry.flag("enabled", true),
                        entry.flag("active", true),
                        phase(entry, Phase.AFTER),
                        wake);
            case "probe" -> probe(entry, wake);
            default -> repository(entry, wake);
        };
        entry.allRead("a " + type.getFirst());
        if (!(item instanceof Item.File)) {
            entry.withoutSecret();
        }
        entry.factsTold(
                Unknowns.in(item),
                () -> Unknowns.filled(item, _ -> "").toString(),
                "a file, a block of lines, an ini value, a mount's source or options, a sysctl's value, the address of a"
                        + " repository and a probe");
        return item;
    }

    private static Item debianPackage(RenderedEntry entry, Notify wake) {
        var state = entry.text("state").orElse("present");
        if (!state.equals("present") && !state.equals("absent")) {
            throw entry.fault("`state` is present or absent.");
        }
        return new Item.DebianPackage(
                entry.needed("package"), state.equals("present"), entry.flag("held", false), before(entry), wake);
    }

    private static Item user(RenderedEntry entry, Notify wake) {
        return new Item.User(
                entry.needed("user"),
                entry.number("uid"),
                some(entry.text("group")),
                entry.texts("groups"),
                some(entry.text("home")),
                some(entry.text("shell")),
                entry.flag("system", false),
                some(entry.text("comment")),
                entry.has("authorized_keys") ? Optional.of(entry.texts("authorized_keys")) : Optional.empty(),
                Optional.of(entry.flag("locked", false)),
                before(entry),
                wake);
    }

    private Item file(RenderedEntry entry, Notify wake) {
        var template = entry.text("template");
        var content = entry.text("content");
        if (template.isPresent() == content.isPresent()) {
            throw entry.fault("A file has either `template` or `content`.");
        }
        var text = template.map(name -> templates.render(name, scope)).orElseGet(content::orElseThrow);
        var body = Digests.sha256(text);
        texts.put(body, text);
        var ownership = switch (entry.text("class").orElse("ours")) {
            case "ours" -> Item.Owner.OURS;
            case "package" -> Item.Owner.PACKAGE;
            default -> throw entry.fault("`class` of a file is ours or package.");
        };
        return new Item.File(
                entry.path("file"),
                owner(entry),
                group(entry),
                entry.mode("0644"),
                body,
                Marker.secretsIn(text),
                Marker.unknownsIn(text),
                ownership,
                before(entry),
                wake);
    }

    private static Item ini(RenderedEntry entry, Notify wake) {
        boolean absent = entry.flag("absent", false);
        var value = entry.text("value");
        var values = value.isPresent() ? List.of(value.get()) : entry.texts("values");
        if (absent == (value.isPresent() || entry.has("values")) || (value.isPresent() && entry.has("values"))) {
            throw entry.fault("An ini option has exactly one of `value`, `values` and `absent: true`.");
        }
        return new Item.Ini(
                entry.path("ini"),
                entry.needed("section"),
                entry.needed("option"),
                values,
                absent,
                before(entry),
                wake);
    }

    private Item line(RenderedEntry entry, Notify wake) {
        var block = entry.text("block")
                .orElseThrow(() -> entry.fault("`block` is missing."))
                .replaceAll("\n+$", "");
        return new Item.Line(
                entry.path("line"),
                entry.text("name").orElse(role),
                block.isEmpty() ? "" : block + "\n",
                before(entry),
                wake);
    }

    private static Item kernel(RenderedEntry entry, Notify wake) {
        if (!(entry.value("kernel").orElse(null) instanceof Map<?, ?> what)) {
            throw entry.fault("`kernel` is a map: argument, module, or sysctl and value.");
        }
        var found = List.of("argument", "module", "sysctl").stream()
                .filter(what::containsKey)
                .toList();
        boolean known = found.size() == 1 && what.size() == (found.getFirst().equals("sysctl") ? 2 : 1);
        if (!known || (found.getFirst().equals("sysctl") && !what.containsKey("value"))) {
            throw entry.fault("`kernel` has exactly one of argument, module and sysctl; sysctl has a value.");
        }
        return new Item.Kernel(
                found.getFirst(),
                String.valueOf(what.get(found.getFirst())),
                Optional.ofNullable(what.get("value")).map(String::valueOf),
                before(entry),
                wake);
    }

    private static Item probe(RenderedEntry entry, Notify wake) {
        var run = entry.texts("run");
        if (run.isEmpty()) {
            throw entry.fault("`run` is the command and its arguments.");
        }
        return new Item.Probe(
                entry.needed("probe"),
                run,
                entry.text("expect"),
                entry.number("expect_rc").orElse(0),
                phase(entry, Phase.AFTER),
                wake);
    }

    private static Item repository(RenderedEntry entry, Notify wake) {
        var uris = entry.texts("uris");
        var suites = entry.texts("suites");
        if (uris.isEmpty() || suites.isEmpty()) {
            throw entry.fault("A repository has `uris` and `suites`.");
        }
        return new Item.Repository(
                entry.needed("repository"),
                uris,
                suites,
                entry.texts("components"),
                some(entry.text("signed_by")),
                before(entry),
                wake);
    }

    private static String owner(RenderedEntry entry) {
        return entry.text("owner").orElse("root");
    }

    private static String group(RenderedEntry entry) {
        return entry.text("group").orElse("root");
    }

    private static Phase before(RenderedEntry entry) {
        return phase(entry, Phase.BEFORE);
    }

    private static Phase phase(RenderedEntry entry, Phase byDefault) {
        return switch (entry.text("phase").orElse(null)) {
            case null -> byDefault;
            case "before" -> Phase.BEFORE;
            case "after" -> Phase.AFTER;
            default -> throw phaseFault(entry);
        };
    }

    private static Failure phaseFault(RenderedEntry entry) {
        return entry.fault("`phase` is before or after.");
    }

    private static Optional<String> some(Optional<String> text) {
        return text.filter(value -> !value.isEmpty());
    }
}
