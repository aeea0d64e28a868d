package io.deepsite.lxd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Failure;
import io.deepsite.provider.Introduction;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Enrols with a real Incus over https, by its token. */
final class IncusEnrolmentIT extends EnrolmentContractTest {
    IncusEnrolmentIT() {
        super(RealLxd.incus("nova", "incusbr0"));
    }

    @Test
    void passwordIsNeverSent() {
        var rest = daemon().rest();

        assertThatThrownBy(() -> enrol(Introduction.Kind.PASSWORD, "it-incus-word"))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("Incus has no trust password");
        assertThat(rest.list(rest.path("certificates"), JsonNode.class)).isEmpty();
    }
}
