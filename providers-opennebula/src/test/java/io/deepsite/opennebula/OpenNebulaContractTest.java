package io.deepsite.opennebula;

import io.deepsite.opennebula.oca.OneVersion;
import io.deepsite.provider.Boot;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Pause;
import io.deepsite.provider.Provider;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Tags;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The contract with the stand-in, for each release whose calls differ. */
final class OpenNebulaContractTest {
    @Nested
    final class Of56 extends At {
        Of56() {
            super("5.6.2");
        }
    }

    @Nested
    final class Of512 extends At {
        Of512() {
            super("5.12.0.4");
        }
    }

    @Nested
    final class Of68 extends At {
        Of68() {
            super("6.8.3");
        }
    }

    @Nested
    final class Of70 extends At {
        Of70() {
            super("7.0.1");
        }
    }

    abstract static class At extends OpenNebulaContract {
        private final String version;

        @TempDir
        private Path folder;

        private Optional<StandIn> front = Optional.empty();

        At(String version) {
            super((OpenNebulaSettings)
                    Fronts.site("{}", "{head: {image: debian-12}}").provider());
            this.version = version;
        }

        private StandIn front() {
            if (front.isEmpty()) {
                front = Optional.of(StandIn.start(version, folder.resolve("state")));
            }
            return front.get();
        }

        /** Runs after the contract's own cleanup; a method would run before it. */
        @RegisterExtension
        private final AfterEachCallback end = _ -> front.ifPresent(StandIn::close);

        @Override
        protected Provider open() {
            return Fronts.provider(front(), settings);
        }

        @Override
        protected String image() {
            return "debian-12";
        }

        @Override
        protected Optional<String> standing(ObservedResource seen) {
            return Optional.ofNullable(front().cloud().all(family(seen)).get(Integer.valueOf(seen.handle())))
                    .map(thing -> thing.template.toString());
        }

        @Override
        protected void removeReleased(ObservedResource seen) {
            front().remove(family(seen), Integer.parseInt(seen.handle()));
        }

        private static String family(ObservedResource seen) {
            return isNetwork(seen) ? "network" : "secgroup";
        }

        @Override
        protected void makeHalf(Resource machine, Tags tags) {
            Pause none = _ -> {};
            var api = new Api(Fronts.connection(front()).client(none));
            var template = new VmTemplate(new TaggedResources(api, "the stand-in", none))
                    .of(machine, tags, Boot.NONE, OneVersion.parse(version), Map::of);
            api.vms().allocate(template);
        }

        @Override
        protected void makeForeign(Resource machine) {
            var foreign = front().cloud().add("vm", machine.name());
            foreign.fields.putAll(Map.of("STATE", "3", "LCM_STATE", "3"));
        }

        @Override
        protected void removeForeign(Resource machine) {
            var cloud = front().cloud();
            cloud.all("vm").remove(cloud.named("vm", machine.name()).id);
        }
    }
}
