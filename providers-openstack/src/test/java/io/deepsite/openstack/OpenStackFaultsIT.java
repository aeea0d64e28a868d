package io.deepsite.openstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Boot;
import io.deepsite.provider.Call;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ObservedResource.Condition;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags.Scope.OneSite;
import io.deepsite.site.Name;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.openstack4j.api.Builders;

/** What a real OpenStack refuses or fails, and the messages about it. */
final class OpenStackFaultsIT {
    private static final OpenStackSettings SETTINGS = RealCloud.settings("10.66.0.0/24");
    private static final String NAME = "it-faults";

    @AfterEach
    void cleanUp() {
        new RealSite(NAME, SETTINGS, 0).deleteAll();
    }

    @Test
    void moreThanTheQuotaIsRefusedBeforeAnythingIsMade() {
        var site = new RealSite(NAME, SETTINGS, 61);

        assertThat(refused(Code.OPENSTACK_QUOTA, site::compile))
                .contains("lab may have 60 servers")
                .contains("node 61");

        assertThat(site.owned()).isEmpty();
    }

    @Test
    void serverThatNoHostHasRoomForIsToldInNovasWordsAndLeavesNothing() {
        var site = new RealSite(NAME, withFlavor("nowhere"), 1);
        var design = site.compile();
        site.createAllButMachines(design, site.tags());

        var told = refused(
                Code.OPENSTACK_SERVER_FAILED,
                () -> site.provider().create(RealSite.machine(design), site.tags(), Boot.NONE, Call.QUIET));

        assertThat(told).contains("No valid host was found").contains("2 times").containsPattern("req-[0-9a-f-]{36}");
        assertThat(servers(site)).isEmpty();
    }

    @Test
    void serverThatFailsOnceIsMadeAgain() {
        var site = new RealSite(NAME, withFlavor("fails-first"), 1);
        var design = site.compile();
        site.createAllButMachines(design, site.tags());

        site.provider().create(RealSite.machine(design), site.tags(), Boot.NONE, Call.QUIET);

        assertThat(servers(site)).extracting(ObservedResource::condition).containsExactly(Condition.READY);
        assertThat(Family.SERVERS.list(site.cloud(), Map.of("name", "^" + NAME)))
                .as("the failed one is gone")
                .hasSize(1);
    }

    /** Servers of this flavor fail in the zone that Nova chooses first. */
    @Test
    void serverThatFailsInAZoneIsMadeInAnother() {
        var site = new RealSite(NAME, withFlavor("fails-in-zone"), 1);
        var design = site.compile();
        site.createAllButMachines(design, site.tags());
        var told = new ArrayList<String>();
        var telling = new Call() {
            @Override
            public void progress(String what) {
                told.add(what);
            }

            @Override
            public boolean cancelled() {
                return false;
            }
        };

        site.provider().create(RealSite.machine(design), site.tags(), Boot.NONE, telling);

        var zone = Nodes.text(site.server("node-1"), "OS-EXT-AZ:availability_zone");
        assertThat(told).contains("creating in the zone " + zone);
        assertThat(servers(site)).extracting(ObservedResource::condition).containsExactly(Condition.READY);
    }

    @Test
    void networkThatAnotherUsesIsKeptAndItsHolderNamed() {
        var site = new RealSite(NAME, SETTINGS, 1, _ -> {});
        site.createAllButMachines(site.compile(), site.tags());
        var network = seen(site, Kinds.THE_NETWORK);
        var id = Family.NETWORKS.named(site.cloud(), network.name()).getFirst().id();
        var another = Builders.port().networkId(id).name("of another").build();
        var port = site.cloud().client().networking().port().create(another).getId();
        try {
            var told = refused(Code.OPENSTACK_IN_USE, () -> site.provider().delete(network, Call.QUIET));

            assertThat(told).contains(port);
            assertThat(seen(site, Kinds.THE_NETWORK).name()).isEqualTo(network.name());
        } finally {
            Family.PORTS.delete(site.cloud(), port);
        }
    }

    @Test
    void applicationCredentialSeesWhatItsUserSees() {
        var site = new RealSite(NAME, SETTINGS, 1);
        site.createAllButMachines(site.compile(), site.tags());

        try (var other = RealCloud.provider("tenant-app", SETTINGS)) {
            assertThat(other.survey(new OneSite(new Name(NAME))).owned()).isEqualTo(site.owned());
        }
    }

    private static List<ObservedResource> servers(RealSite site) {
        return site.owned().stream()
                .filter(seen -> seen.id().kind().equals(Kinds.SERVER))
                .toList();
    }

    private static ObservedResource seen(RealSite site, ResourceId id) {
        return site.owned().stream()
                .filter(seen -> seen.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static OpenStackSettings withFlavor(String flavor) {
        var none = OpenStackMachines.NONE;
        var machines = new OpenStackMachines(
                Optional.of(flavor),
                none.extraSpecs(),
                none.zone(),
                none.placement(),
                none.floatingIps(),
                none.addresses(),
                none.bootVolume(),
                none.volumes(),
                none.securityGroups(),
                none.metadata(),
                none.configDrive(),
                none.userData());
        return new OpenStackSettings(
                SETTINGS.cloud(),
                SETTINGS.region(),
                SETTINGS.facing(),
                SETTINGS.network(),
                SETTINGS.images(),
                Map.of(new Name("node"), machines),
                SETTINGS.bastion(),
                SETTINGS.createFlavors(),
                SETTINGS.retries(),
                SETTINGS.prices());
    }

    /** The failure's message. */
    private static String refused(Code code, ThrowingCallable call) {
        var told = new StringBuilder();
        assertThatThrownBy(call).isInstanceOfSatisfying(Failure.class, failure -> {
            assertThat(failure.diagnostics())
                    .extracting(diagnostic -> diagnostic.code())
                    .contains(code);
            failure.diagnostics().forEach(diagnostic -> told.append(diagnostic).append('\n'));
        });
        return told.toString();
    }
}
