package io.deepsite.opennebula;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Failure;
import io.deepsite.opennebula.StandInThing.Attribute;
import io.deepsite.provider.Call;
import io.deepsite.provider.ImageStore;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Survey;
import io.deepsite.provider.Tags.Scope.OneSite;
import io.deepsite.site.ImageName;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images that are made of machines: when they are used, kept, made again, and refused. */
final class BakedImageCallsTest {
    private static final String NAME = "deepsite-0123456789abcdef";
    private static final String MACHINES =
            "{node: {image: debian-12, memory: 512MiB}, head: {image: debian-12, memory: 512MiB, disk: 8GiB}}";

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private StandIn front;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Made made;

    @BeforeEach
    void makeSite() {
        front = StandIn.start("6.10.0", folder.resolve("state"));
        made = new Made(front, "{}", MACHINES).all();
    }

    @AfterEach
    void close() {
        front.close();
    }

    private ImageStore store() {
        return made.provider().images().orElseThrow();
    }

    private void publish(String machine) {
        store().publish(made.seen(Kinds.VM, machine), NAME, "debian-12 with munge, slurmd", Call.QUIET);
    }

    private Survey survey() {
        return made.provider().survey(new OneSite(made.site().name()));
    }

    private StandInThing image() {
        return front.cloud().named("image", NAME);
    }

    private void mark(StandInThing image) {
        image.template.add(
                new Attribute(BakedImageCalls.ATTRIBUTE, "", new TreeMap<>(Map.of("NAME", NAME, "OF", "theirs"))));
    }

    private StandInThing ofTheUser(String state) {
        var image = front.cloud().add("image", NAME);
        image.fields.putAll(Map.of("UID", StandInCloud.USER, "STATE", state, "SIZE", "2048"));
        return image;
    }

    @Test
    void theDiskOfAMachineWithoutPowerBecomesAnImage() {
        publish("head");
        survey();

        assertThat(made.vm("head").number("STATE")).isEqualTo(Life.POWEROFF);
        assertThat(StandInThing.text(image().template, "SAVED_DISK_ID")).contains("0");
        assertThat(store().images()).singleElement().satisfies(stored -> {
            assertThat(stored.names()).containsExactly(NAME);
            assertThat(stored.description()).isEqualTo("debian-12 with munge, slurmd");
            assertThat(stored.bytes()).isEqualTo(8L << 30);
            assertThat(stored.storedAt()).isPresent();
        });
        assertThat(survey().bakedImages()).containsExactly(NAME);
    }

    @Test
    void anImageThatIsThereIsKept() {
        publish("node");
        int id = image().id;
        front.forgetSent();

        publish("node");

        assertThat(image().id).isEqualTo(id);
        assertThat(front.sent()).noneMatch(call -> call.equals("one.vm.disksaveas") || call.equals("one.image.delete"));
    }

    @Test
    void theImageOfAKilledRunIsMadeAgain() {
        var begun = ofTheUser("1");
        begun.template.add(new Attribute("SAVED_VM_ID", "4711", new TreeMap<>()));

        assertThat(survey().bakedImages()).isEmpty();
        publish("node");

        assertThat(image().id).isNotEqualTo(begun.id);
        assertThat(survey().bakedImages()).containsExactly(NAME);
    }

    @Test
    void anImageThatFailedIsToldAndMadeAgain() {
        front.cloud().images().next("4", "5");

        assertThatThrownBy(() -> publish("node")).isInstanceOf(Failure.class).hasMessageContaining("DS2421");

        publish("node");
        assertThat(survey().bakedImages()).containsExactly(NAME);
    }

    @Test
    void anImageThatIsNoSavedDiskIsNotTouched() {
        ofTheUser("1");

        assertThatThrownBy(() -> publish("node")).isInstanceOf(Failure.class).hasMessageContaining("DS2003");

        assertThat(front.sent()).doesNotContain("one.image.delete", "one.vm.disksaveas");
    }

    @Test
    void anImageThatWouldBePersistentIsShared() {
        front.cloud().images().persistent();

        publish("node");

        assertThat(image().field("PERSISTENT")).isEqualTo("0");
    }

    @Test
    void aDiskWithoutImageIsRefused() {
        var vm = made.vm("node");
        vm.template.replaceAll(attribute -> attribute.name().equals("DISK")
                ? new Attribute("DISK", "", new TreeMap<>(Map.of("DISK_ID", "0", "SIZE", "100", "TYPE", "fs")))
                : attribute);

        assertThatThrownBy(() -> publish("node"))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("DISK does not have a valid IMAGE_ID")
                .hasMessageContaining("was not stored");
    }

    @Test
    void aFullQuotaIsTold() {
        front.cloud()
                .refuse(
                        "one.vm.disksaveas",
                        StandInCloud.NO_RIGHT,
                        "user [2] limit of 3 reached for IMAGES quota in DATASTORE with ID 1.");

        assertThatThrownBy(() -> publish("node")).isInstanceOf(Failure.class).hasMessageContaining("DS2410");
    }

    private Resource baked() {
        return made.resource(Kinds.VM, "node").fromBaked(NAME);
    }

    @Test
    void machinesStartFromItAndAreSeenAsOfTheirImage() {
        publish("node");
        remove();

        made.create(baked(), Call.QUIET);

        assertThat(made.vector("node", "DISK")).containsEntry("IMAGE_ID", String.valueOf(image().id));
        assertThat(made.seen(Kinds.VM, "node").attributes())
                .isEqualTo(made.resource(Kinds.VM, "node").values());
    }

    private void remove() {
        ObservedResource seen = made.seen(Kinds.VM, "node");
        made.provider().delete(seen, Call.QUIET);
    }

    @Test
    void aMachineThatWaitsForAHostIsNotMadeAgain() {
        publish("node");
        remove();
        made.create(baked(), Call.QUIET);
        var vm = made.vm("node");
        vm.fields.putAll(Map.of("STATE", "1", "LCM_STATE", "0"));

        made.create(baked(), Call.QUIET);

        assertThat(made.vm("node").id).isEqualTo(vm.id);
    }

    /** Whoever lets this user see an image of that name could give it any content. */
    @Test
    void imagesOfOthersAreNeverUsedListedOrDeleted() {
        var theirs = front.cloud().add("image", NAME);
        theirs.fields.putAll(Map.of("UID", "3", "STATE", "1", "SIZE", "2048"));
        mark(theirs);
        remove();

        assertThat(survey().bakedImages()).isEmpty();
        assertThat(store().images()).isEmpty();
        assertThatThrownBy(() -> made.create(baked(), Call.QUIET))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("DS2420");
        assertThatThrownBy(() -> store().delete(new ImageName(NAME), Call.QUIET))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("DS2420");
        assertThat(front.names("image")).contains(NAME);
    }

    @Test
    void unfinishedOrDisabledImagesAreNotUsed() {
        var image = ofTheUser("4");
        mark(image);

        for (var state : List.of("4", "5", "3")) {
            image.fields.put("STATE", state);
            assertThat(survey().bakedImages()).isEmpty();
        }
        image.fields.put("STATE", "2");
        assertThat(survey().bakedImages()).containsExactly(NAME);
    }

    @Test
    void isDeletedOnceNoMachineUsesIt() {
        publish("node");
        remove();
        made.create(baked(), Call.QUIET);

        assertThatThrownBy(() -> store().delete(new ImageName(NAME), Call.QUIET))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("DS2434");

        remove();
        store().delete(new ImageName(NAME), Call.QUIET);
        assertThat(store().images()).isEmpty();
    }

    @Test
    void anImageThatTheDatastoreKeepsIsTold() {
        publish("node");
        front.cloud().images().keepsNext();

        assertThatThrownBy(() -> store().delete(new ImageName(NAME), Call.QUIET))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("was not deleted, because: Error removing image from datastore");

        store().delete(new ImageName(NAME), Call.QUIET);
        assertThat(front.names("image")).doesNotContain(NAME);
    }

    @Test
    void anotherSizeOfDiskIsAnotherImage() {
        assertThat(survey().imageOf(made.resource(Kinds.VM, "node")))
                .contains(String.valueOf(front.cloud().named("image", "debian-12").id));
        assertThat(survey().imageOf(made.resource(Kinds.VM, "head")))
                .contains(front.cloud().named("image", "debian-12").id + " 8192MiB");
    }

    /** Its machine would install the packages in the very image that site.yaml names. */
    @Test
    void nothingIsBakedOfAPersistentImage() {
        front.cloud().named("image", "debian-12").fields.put("PERSISTENT", "1");

        assertThat(survey().imageOf(made.resource(Kinds.VM, "node"))).isEmpty();
    }
}
