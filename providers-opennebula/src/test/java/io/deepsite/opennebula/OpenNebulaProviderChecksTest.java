package io.deepsite.opennebula;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.cluster.ClusterKinds;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic.Severity;
import io.deepsite.site.load.LoadResult;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpenNebulaProviderChecksTest {
    private static LoadResult load(String opennebula) {
        return new ClusterKinds(List.of(), List.of(new OpenNebulaProviderFactory()))
                .loader()
                .load("site.yaml", """
                apiVersion: deepsite/v1
                site: demo
                provider: {opennebula: %s}
                machines: {node: {image: debian-12}}
                """.formatted(opennebula), Map.of());
    }

    @Test
    void plainHttpToAnotherHostIsAWarningAndNoFault() {
        var result = load("{endpoint: \"http://front.example:2633/RPC2\"}");

        assertThat(result.site()).isPresent();
        assertThat(result.diagnostics()).singleElement().satisfies(told -> {
            assertThat(told.code()).isEqualTo(Code.OPENNEBULA_PLAIN_HTTP);
            assertThat(told.severity()).isEqualTo(Severity.WARNING);
            assertThat(told.where()).isNotNull();
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"https://front.example:2633/RPC2", "http://localhost:2633/RPC2", "http://127.0.0.1:2633/RPC2"})
    void tlsOrThisHostIsNone(String endpoint) {
        assertThat(load("{endpoint: \"" + endpoint + "\"}").diagnostics()).isEmpty();
    }

    @Test
    void everythingMayBeLeftOut() {
        var settings = (OpenNebulaSettings) load("{}").orFail().provider();

        assertThat(settings.endpoint()).isEmpty();
        assertThat(settings.auth()).isEmpty();
        assertThat(settings.network().cidr()).hasToString("10.65.0.0/24");
        assertThat(settings.network().driver()).isEqualTo("fw");
        assertThat(settings.patience()).hasToString("10m");
        assertThat(settings.groups()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/var/tmp/x;reboot", "/var/tmp/$(id)", "relative.qcow2"})
    void aPathIsOneThatNothingCanBeReadInto(String path) {
        assertThat(load("{images: {debian-12: {path: '" + path + "'}}}").site()).isEmpty();
    }
}
