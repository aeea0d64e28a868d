package io.deepsite.report;

import io.deepsite.state.Runs;
import io.deepsite.text.HostNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The hosts of an inventory. Apart from the report, whose class every help text loads: it needs no JSON. */
final class PlannedHosts {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private PlannedHosts() {}

    /** Hosts by group, as the last plan had them: only the inventory of that time knows. */
    static Map<String, List<String>> byGroup(Optional<Runs.Run> run) {
        var groups = new LinkedHashMap<String, List<String>>();
        run.map(one -> one.folder().resolve("plan.json"))
                .filter(Files::exists)
                .ifPresent(plan -> machines(plan)
                        .forEach(machine -> groups.computeIfAbsent(
                                        machine.path("group").path("value").asString(), _ -> new ArrayList<>())
                                .add(machine.path("name").asString())));
        groups.values().forEach(hosts -> hosts.sort(HostNames::compare));
        return groups;
    }

    /** None in half a file, as a run leaves it that was killed while it wrote: their number is not known then. */
    private static JsonNode machines(Path plan) {
        try {
            return JSON.readTree(Files.readAllBytes(plan)).path("machines");
        } catch (JacksonException e) {
            return JSON.createObjectNode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
