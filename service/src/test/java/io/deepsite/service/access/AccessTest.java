package io.deepsite.service.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FaultMessage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class AccessTest {
    private static final String LAB = "urn:geant:example.org:group:lab#iam.example.org";

    private final Access access = new Access(
            Map.of(
                    "lab", new MemberSettings(List.of(LAB, "/lab"), List.of("/lab/managers")),
                    "course", new MemberSettings(List.of("/course"), List.of())),
            List.of("/admins"));

    private static Person person(String... groups) {
        return new Person("https://iam.example.org/", "4711", "Ada", Optional.empty(), List.of(groups));
    }

    @Test
    void groupsGiveRolesInProjects() {
        assertThat(access.role(person("/lab"), "lab")).contains(Role.USER);
        assertThat(access.role(person(LAB), "lab")).contains(Role.USER);
        assertThat(access.role(person("/lab", "/lab/managers"), "lab")).contains(Role.MANAGER);
        assertThat(access.role(person("/lab"), "course")).isEmpty();
        assertThat(access.projects(person("/lab", "/course"))).containsExactly("course", "lab");
    }

    @Test
    void administratorsAreSoInEachProjectThatThereIs() {
        var administrator = person("/admins");

        assertThat(access.isAdministrator(administrator)).isTrue();
        assertThat(access.role(administrator, "course")).contains(Role.ADMINISTRATOR);
        assertThat(access.role(administrator, "none")).isEmpty();
        assertThat(access.projects(administrator)).containsExactly("course", "lab");
    }

    @Test
    void aGroupCountsOnlyAsItIsWritten() {
        for (var group : List.of("/lab/students", "lab", "/LAB", "/lab/", LAB.replace("iam.", "evil."), "")) {
            assertThat(access.role(person(group), "lab")).as(group).isEmpty();
        }
    }

    @Test
    void refusesWhoHasALesserRole() {
        assertThatCode(() -> access.require(person("/lab/managers"), "lab", Role.USER))
                .doesNotThrowAnyException();
        assertThatCode(() -> access.requireAdministrator(person("/admins"))).doesNotThrowAnyException();

        for (var refused : List.<ThrowingCallable>of(
                () -> access.require(person("/lab"), "lab", Role.MANAGER),
                () -> access.require(person("/course"), "lab", Role.USER),
                () -> access.require(person("/admins"), "none", Role.USER),
                () -> access.requireAdministrator(person("/lab/managers")))) {
            var failure = catchThrowableOfType(Failure.class, refused);
            assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.NOT_ALLOWED);
        }
    }

    @Test
    void saysWhichRoleIsMissing() {
        FaultMessage.assertReads(
                "service/DS8103-lesser-role", () -> access.require(person("/lab"), "lab", Role.MANAGER));
    }

    @Test
    void theIdOfAPersonStaysWithOrWithoutTheSlashOfTheIssuer() {
        var slash = new Person("https://iam.example.org/", "4711", "Ada", Optional.empty(), List.of());
        var none = new Person("https://iam.example.org", "4711", "Countess", Optional.of("a@b"), List.of("x"));

        assertThat(slash.id()).isEqualTo(none.id()).isEqualTo("https://iam.example.org#4711");
        assertThat(new Person("https://other.example.org", "4711", "Ada", Optional.empty(), List.of()).id())
                .isNotEqualTo(slash.id());
    }
}
