package io.deepsite.opennebula;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.opennebula.StandIn.Mishap;
import io.deepsite.opennebula.oca.Accounts;
import io.deepsite.opennebula.oca.Client;
import io.deepsite.opennebula.oca.ErrorCode;
import io.deepsite.opennebula.oca.OneException;
import io.deepsite.opennebula.oca.OneVersion;
import io.deepsite.opennebula.oca.SecurityGroups;
import io.deepsite.opennebula.oca.Session;
import io.deepsite.opennebula.oca.Template;
import io.deepsite.opennebula.oca.VirtualMachines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The client over real HTTP, with a stand-in that fails in every way. */
final class ClientTest {
    private static final Duration PATIENT = Duration.ofHours(1);

    @TempDir
    private Path folder;

    private StandIn front;
    private Client client;

    @BeforeEach
    void start() {
        front = StandIn.start("6.8.3", folder.resolve("state"));
        client = Fronts.client(front, PATIENT);
    }

    @AfterEach
    void end() {
        front.close();
    }

    private VirtualMachines vms() {
        return new VirtualMachines(client);
    }

    private static Template nothing() {
        return new Template().put("NAME", "one");
    }

    @Test
    void readsTheVersion() {
        assertThat(new Accounts(client).version()).isEqualTo(new OneVersion(6, 8, "6.8.3"));
    }

    @Test
    void refusalKeepsItsCodeAndMessage() {
        var refused = catchThrowableOfType(OneException.Refused.class, () -> vms().info(999));

        assertThat(refused.kind()).isEqualTo(ErrorCode.NO_EXISTS);
        assertThat(refused.code()).isEqualTo(0x400);
        assertThat(refused.said()).contains("[999]");
        assertThat(refused.method()).isEqualTo("one.vm.info");
    }

    @Test
    void wrongPasswordIsRefusedAndNeverPrinted() {
        var wrong = new Client(
                front.url(),
                Session.parse("alice:wrong-password"),
                Optional.empty(),
                PATIENT,
                PATIENT,
                new Fronts.Time());

        var refused = catchThrowableOfType(OneException.Refused.class, () -> new Accounts(wrong).version());

        assertThat(refused.kind()).isEqualTo(ErrorCode.AUTHENTICATION);
        assertThat(refused).hasStackTraceContaining("one.system.version");
        assertThat(refused.toString()).doesNotContain("wrong-password");
    }

    @Test
    void callThatTheVersionLacksIsNotUnderstood() {
        try (var old = StandIn.start("5.6.2", folder.resolve("old"))) {
            var odd = catchThrowableOfType(
                    OneException.NotUnderstood.class,
                    () -> new VirtualMachines(Fronts.client(old, PATIENT)).all(OneVersion.V6_2));

            assertThat(odd.fault()).isEqualTo(-506);
        }
    }

    @Test
    void wrongArgumentsAreNotUnderstood() {
        front.next(Mishap.OTHER_ARGUMENTS);

        var odd = catchThrowableOfType(OneException.NotUnderstood.class, () -> vms().allocate(nothing()));

        assertThat(odd.fault()).isEqualTo(-501);
    }

    @ParameterizedTest
    @EnumSource(
            value = Mishap.class,
            names = {"ONE_PART", "TWO_PARTS", "TEXT_FOR_NUMBER", "DOCTYPE_OUTSIDE", "NOT_XML_RPC", "HTTP_502"})
    void otherAnswerIsGarbled(Mishap mishap) {
        front.next(mishap);

        var garbled = catchThrowableOfType(OneException.Garbled.class, () -> vms().allocate(nothing()));

        assertThat(garbled).as(mishap.name()).isNotNull();
        assertThat(front.cloud().all("vm")).isEmpty();
    }

    @Test
    void aDocumentWithADoctypeIsNotRead() {
        front.next(Mishap.DOCTYPE_INSIDE);

        var garbled = catchThrowableOfType(OneException.Garbled.class, () -> vms().all(OneVersion.V6_6));

        assertThat(garbled.said()).contains("DOCTYPE");
        assertThat(garbled).hasStackTraceContaining("DOCTYPE");
        assertThat(garbled.toString()).doesNotContain("root:");
    }

    @Test
    void readingCallIsRepeatedAfterABrokenAnswer() {
        front.next(Mishap.CUT, Mishap.DROPPED);

        assertThat(vms().all(OneVersion.V6_6)).isEmpty();
        assertThat(front.sent()).hasSize(3);
    }

    @ParameterizedTest
    @EnumSource(
            value = Mishap.class,
            names = {"CUT", "DROPPED"})
    void changingCallIsNeverSentTwice(Mishap mishap) {
        new SecurityGroups(client).all();
        front.on("one.secgroup.allocate", mishap);

        var gone = catchThrowableOfType(OneException.class, () -> new SecurityGroups(client).allocate(nothing()));

        assertThat(gone).isInstanceOfAny(OneException.Unreachable.class, OneException.Garbled.class);
        assertThat(front.sent()).containsOnlyOnce("one.secgroup.allocate");
        assertThat(front.names("secgroup")).hasSize(1);
    }

    @Test
    void silentServerEndsTheCallInTime() {
        front.next(Mishap.SLOW);
        var impatient = Fronts.client(front, Duration.ofMillis(100));

        var gone = catchThrowableOfType(
                OneException.Unreachable.class, () -> new VirtualMachines(impatient).allocate(nothing()));

        assertThat(gone.said()).containsIgnoringCase("timed out");
    }

    @Test
    void silentServerIsNotAskedAgain() {
        front.next(Mishap.SLOW);
        var time = new Fronts.Time();
        var begun = time.instant();
        var impatient = new Client(
                front.url(), Session.parse(StandIn.SESSION), Optional.empty(), PATIENT, Duration.ofMillis(100), time);

        catchThrowableOfType(OneException.Unreachable.class, () -> new SecurityGroups(impatient).all());

        // Whoever asks again waits before: on a busy machine the stand-in may not have read the first request yet.
        assertThat(time.instant()).isEqualTo(begun);
    }

    @Test
    void closedPortIsUnreachable() {
        var url = front.url();
        front.close();
        var nobody =
                new Client(url, Session.parse(StandIn.SESSION), Optional.empty(), PATIENT, PATIENT, new Fronts.Time());

        var gone = catchThrowableOfType(OneException.Unreachable.class, () -> new Accounts(nobody).version());

        assertThat(gone.said()).containsIgnoringCase("refused");
    }

    @Test
    void restartedServerKeepsItsObjects() {
        int id = new SecurityGroups(client)
                .allocate(nothing().vector("RULE", Map.of("PROTOCOL", "TCP", "RULE_TYPE", "inbound")));
        front = front.restart(folder.resolve("state"));

        assertThat(new SecurityGroups(client).all()).singleElement().satisfies(group -> {
            assertThat(group.id()).isEqualTo(id);
            assertThat(group.text("TEMPLATE/RULE/PROTOCOL")).isEqualTo("TCP");
        });
    }

    @Test
    void noValueBecomesAnotherAttribute() {
        var hostile = "x</NAME><CPU>64</CPU>\"]\nCPU=\"64\u0000";
        new SecurityGroups(client).allocate(new Template().put("NAME", hostile));

        assertThat(new SecurityGroups(client).all()).singleElement().satisfies(group -> {
            assertThat(group.text("NAME")).isEqualTo(hostile.replace("\u0000", ""));
            assertThat(group.first("TEMPLATE/CPU")).isEmpty();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"alice", "alice:", ":secret", "alice:two words", "", "a\nb:c"})
    void aSessionStringIsUserAndPassword(String text) {
        var fault = catchThrowableOfType(IllegalArgumentException.class, () -> Session.parse(text));

        assertThat(fault).isNotNull();
        assertThat(fault.getMessage()).doesNotContain("secret").doesNotContain("two words");
    }

    @Test
    void aSessionShowsItsUserOnly() {
        assertThat(Session.parse(StandIn.SESSION)).hasToString("Session[user=alice, text=***]");
    }

    @ParameterizedTest
    @CsvSource({"5.6.2, 5, 6", "5.12.0.4, 5, 12", "6.99.80, 6, 99", "7.0.0, 7, 0"})
    void versionsAreCompared(String text, int major, int minor) {
        var version = OneVersion.parse(text);

        assertThat(version.major()).isEqualTo(major);
        assertThat(version.minor()).isEqualTo(minor);
        assertThat(version.atLeast(OneVersion.V5_6)).isTrue();
    }
}
