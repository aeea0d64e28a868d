package io.deepsite.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.contract.Digests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The tests of roles run the contracts in their {@code tests/held}; an outdated copy would prove nothing about the
 * role.
 */
class HeldContractsTest {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final Pattern EXPRESSION = Pattern.compile("\\{\\{.*?}}", Pattern.DOTALL);

    /** Keys of contract.yml that become an id, a body or another key. */
    private static final Set<String> ELSEWHERE = Set.of("each", "when", "template", "content", "name", "kernel");

    private static final Map<String, Object> DEFAULTS = Map.ofEntries(
            Map.entry("owner", "root"),
            Map.entry("group", "root"),
            Map.entry("class", "ours"),
            Map.entry("state", "present"),
            Map.entry("held", false),
            Map.entry("system", false),
            Map.entry("enabled", true),
            Map.entry("active", true),
            Map.entry("expect_rc", 0),
            Map.entry("groups", List.of()),
            Map.entry("restarts", List.of()),
            Map.entry("reloads", List.of()));

    @Test
    void contractsAreWrittenAsDeepsiteRenderWritesThem() {
        assertThat(contracts())
                .isNotEmpty()
                .allSatisfy(held -> assertThat(text(held.file()))
                        .as("%s: `deepsite render` writes such files", held)
                        .isEqualTo(JSON.writeValueAsString(held.json()) + "\n"));
    }

    @Test
    void filesAreThoseOfTheirContracts() {
        assertThat(contracts()).allSatisfy(held -> {
            var named = new TreeSet<Path>();
            for (var file : held.files()) {
                var body = held.body(file);
                named.add(body);
                assertThat(body).as("%s: %s", held, id(file)).isRegularFile();
                if (!file.path("secret").asBoolean()) {
                    assertThat(Digests.sha256(text(body)))
                            .as("sha256 of %s", body)
                            .isEqualTo(file.path("sha256").asString());
                }
            }
            assertThat(below(held.bodies(), Files::isRegularFile))
                    .as("%s: files that it names", held)
                    .isEqualTo(List.copyOf(named));
        });
    }

    @Test
    void filesAreThoseOfTheirTemplates() {
        var compared = new ArrayList<Path>();
        for (var held : contracts()) {
            for (var file : held.files()) {
                var template = RepositoryRoles.HOME
                        .templates()
                        .resolve(held.role() + file.path("path").asString() + ".j2");
                // If the role names another template, or none, there is nothing to compare.
                if (Files.exists(template) && !text(template).matches("(?s).*\\{[{%#].*")) {
                    compared.add(template);
                    assertThat(text(held.body(file)))
                            .as("%s, which holds no Jinja, and %s", template, held.body(file))
                            .isEqualTo(text(template));
                }
            }
        }
        assertThat(compared).isNotEmpty();
    }

    @Test
    void itemsAndActionsAreThoseOfTheRole() {
        for (var held : contracts()) {
            var role = JSON.valueToTree(new Yaml(new SafeConstructor(new LoaderOptions()))
                    .load(text(RepositoryRoles.HOME.roles().resolve(held.role()).resolve("meta/contract.yml"))));
            var items = List.copyOf(held.json().path("items").values());
            var entries = List.copyOf(role.path("items").values());
            assertThat(items)
                    .as("%s: items that the role has", held)
                    .allMatch(item -> entries.stream().anyMatch(entry -> isItem(held.role(), entry, item)));
            assertThat(entries.stream().filter(entry -> !entry.has("each") && !entry.has("when")))
                    .as("%s: what the role asks for in any case", held)
                    .allMatch(entry -> items.stream().anyMatch(item -> isItem(held.role(), entry, item)));

            var actions = List.copyOf(held.json().path("actions").values());
            var asked = List.copyOf(role.path("actions").values());
            assertThat(actions)
                    .as("%s: actions that the role has", held)
                    .allMatch(action -> asked.stream().anyMatch(entry -> isAction(entry, action)));
            assertThat(asked.stream().filter(entry -> !entry.has("when")))
                    .as("%s: actions that the role asks for in any case", held)
                    .allMatch(entry -> actions.stream().anyMatch(action -> isAction(entry, action)));
        }
    }

    private static boolean isItem(String role, JsonNode entry, JsonNode item) {
        var type = item.path("type").asString();
        var name = entry.path(type);
        if (name.isMissingNode() || (type.equals("group") && (entry.has("owner") || entry.has("user")))) {
            return false;
        }
        var id = switch (type) {
            case "ini" ->
                name.asString() + ":" + entry.path("section").asString() + ":"
                        + entry.path("option").asString();
            case "line" -> name.asString() + ":" + entry.path("name").asString(role);
            case "kernel" -> "{{ what }}:{{ name }}";
            default -> name.asString();
        };
        return fits(type + ":" + id, id(item)) && attributes(entry, item, type);
    }

    private static boolean attributes(JsonNode entry, JsonNode item, String type) {
        return entry.propertyStream()
                        .filter(asked -> !asked.getKey().equals(type) && !ELSEWHERE.contains(asked.getKey()))
                        .allMatch(asked -> fits(
                                asked.getValue(),
                                asked.getKey().equals("value")
                                        ? item.path("values").path(0)
                                        : item.path(asked.getKey())))
                && item.propertyStream()
                        .filter(held -> !held.getKey().equals(type) && !entry.has(held.getKey()))
                        .filter(held -> DEFAULTS.containsKey(held.getKey()))
                        .allMatch(held ->
                                JSON.valueToTree(DEFAULTS.get(held.getKey())).equals(held.getValue()));
    }

    private static boolean isAction(JsonNode entry, JsonNode action) {
        return entry.propertyStream()
                .filter(asked -> !asked.getKey().equals("when"))
                .allMatch(asked -> fits(asked.getValue(), action.path(asked.getKey())));
    }

    /** Whether the entry of contract.yml can have produced the value, whatever its expressions gave. */
    private static boolean fits(JsonNode asked, JsonNode held) {
        if (asked.isString()
                && (asked.asString().contains("{{") || asked.asString().contains("{%"))) {
            return !held.isString() || fits(asked.asString(), held.asString());
        }
        if (asked.isObject() && held.isObject()) {
            return asked.propertyStream()
                    .filter(each -> held.has(each.getKey()))
                    .allMatch(each -> fits(each.getValue(), held.path(each.getKey())));
        }
        if (asked.isArray() && held.isArray() && asked.size() == held.size()) {
            for (int i = 0; i < asked.size(); i++) {
                if (!fits(asked.path(i), held.path(i))) {
                    return false;
                }
            }
            return true;
        }
        return asked.equals(held);
    }

    private static boolean fits(String asked, String held) {
        if (asked.contains("{%")) {
            return true;
        }
        var pattern = Stream.of(EXPRESSION.split(asked, -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
        return Pattern.compile(pattern, Pattern.DOTALL).matcher(held).matches();
    }

    private static String id(JsonNode item) {
        return item.path("id").asString();
    }

    /** A file {@code tests/held/contracts/HOST/ROLE.json}. */
    private record Held(Path file, JsonNode json) {
        String role() {
            return json.path("role").asString();
        }

        List<JsonNode> files() {
            return json.path("items")
                    .valueStream()
                    .filter(item -> item.path("type").asString().equals("file"))
                    .toList();
        }

        /** Of all contracts of this host. */
        Path folder() {
            return file.resolve("../../../files")
                    .normalize()
                    .resolve(json.path("host").asString());
        }

        Path bodies() {
            return folder().resolve(role());
        }

        Path body(JsonNode item) {
            return folder().resolve(item.path("source").asString());
        }

        @Override
        public String toString() {
            return RepositoryRoles.HOME.root().relativize(file).toString();
        }
    }

    private static List<Held> contracts() {
        return below(RepositoryRoles.HOME.roles(), path -> path.toString().matches(".*/tests/held/contracts/.*\\.json"))
                .stream()
                .map(file -> new Held(file, JSON.readTree(text(file))))
                .toList();
    }

    /** Sorted. */
    private static List<Path> below(Path folder, Predicate<Path> wanted) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (var paths = Files.walk(folder)) {
            return paths.filter(wanted).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
