package io.deepsite.opennebula;

import io.deepsite.opennebula.oca.Template;
import io.deepsite.provider.Boot;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Pause;
import io.deepsite.provider.Provider;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Tags;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** The contract against a real front-end that somebody runs: {@code testbed/maven-it --opennebula} names the variables. */
final class OpenNebulaProviderIT extends OpenNebulaContract {
    private static final String NOWHERE = "NAME = \"nowhere\"";

    private final Connection connection =
            new ConnectionReader(new Environment(Map.of(), Path.of("")), settings, Path.of("")).read();
    private final Api api = new Api(connection.client(Pause.REAL));

    OpenNebulaProviderIT() {
        super((OpenNebulaSettings) Fronts.site(
                        "{endpoint: \"" + variable("DEEPSITE_OPENNEBULA") + "\", auth: \""
                                + variable("DEEPSITE_OPENNEBULA_AUTH") + "\", patience: 1m}",
                        "{head: {image: \"" + variable("DEEPSITE_OPENNEBULA_IMAGE") + "\"}}")
                .provider());
    }

    private static String variable(String name) {
        return Objects.requireNonNull(System.getenv(name), name);
    }

    @Override
    protected Provider open() {
        return new OpenNebulaProvider(settings, connection, Pause.REAL, InstantSource.system());
    }

    @Override
    protected String image() {
        return variable("DEEPSITE_OPENNEBULA_IMAGE");
    }

    @Override
    protected Optional<String> standing(ObservedResource seen) {
        var all = isNetwork(seen) ? api.networks().all() : api.securityGroups().all();
        return all.stream()
                .filter(one -> one.id() == Integer.parseInt(seen.handle()))
                .findFirst()
                .map(one -> {
                    var text = new Template();
                    one.first("TEMPLATE").orElseThrow().children().forEach(text::copy);
                    return text.toString();
                });
    }

    @Override
    protected void removeReleased(ObservedResource seen) {
        int id = Integer.parseInt(seen.handle());
        if (isNetwork(seen)) {
            api.networks().delete(id);
        } else {
            api.securityGroups().delete(id);
        }
    }

    /** No host meets its requirement: it stays PENDING. */
    @Override
    protected void makeHalf(Resource machine, Tags tags) {
        var attributes = new TreeMap<>(machine.attributes());
        attributes.put(VmAttributes.PLACEMENT, VmAttributes.attribute(VmAttributes.PLACEMENT, NOWHERE));
        var hopeless = new Resource(machine.id(), machine.name(), attributes, machine.dependsOn());
        api.vms()
                .allocate(new VmTemplate(new TaggedResources(api, "the front-end", Pause.REAL))
                        .of(hopeless, tags, Boot.NONE, api.version(), Map::of));
    }

    /** Stays PENDING, too: OpenNebula refuses to terminate a machine that boots. */
    @Override
    protected void makeForeign(Resource machine) {
        api.vms()
                .allocate(new Template()
                        .put("NAME", machine.name())
                        .put("CPU", "0.1")
                        .put("MEMORY", 16)
                        .put(VmTemplate.REQUIREMENTS, NOWHERE));
    }

    @Override
    protected void removeForeign(Resource machine) {
        foreign(machine).ifPresent(vm -> api.vms().action(VmTemplate.END, vm.id()));
        while (foreign(machine).isPresent()) {
            Pause.REAL.of(Duration.ofMillis(200));
        }
    }

    private Optional<Snapshot.Vm> foreign(Resource machine) {
        return api.allVms().stream()
                .filter(vm -> vm.name().equals(machine.name()))
                .findFirst();
    }
}
