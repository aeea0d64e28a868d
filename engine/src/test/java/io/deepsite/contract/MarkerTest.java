package io.deepsite.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.apply.SecretNames;
import io.deepsite.state.OpenSshKey;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

class MarkerTest {
    private static final String LINE = "key: " + Marker.publicKey("lab_ssh_key") + "\n";

    @Test
    void thePublicHalfOfAKeyPairTakesThePlaceOfItsMarker() {
        var pair = OpenSshKey.of(SecretNames.kind("lab_ssh_key").generate(new SecureRandom()));

        var closed = Marker.close(LINE, _ -> pair.privateKey().reveal(), _ -> "");

        assertThat(closed).isEqualTo("key: " + pair.publicLine() + "\n").doesNotContain("PRIVATE");
    }

    /** So a new key pair rewrites the file, and the pair is generated before the file. */
    @Test
    void aTextWithAPublicHalfDependsOnTheSecret() {
        assertThat(Marker.secretsIn(LINE)).containsExactly("lab_ssh_key");
    }

    /** The operator of an identity provider chooses its secrets, whatever characters the files here allow. */
    @Test
    void aSecretIsQuotedAsItsFileAsks() {
        var text = "\"" + Marker.jsonSecret("door_secret") + "\" \"" + Marker.apacheSecret("door_secret") + "\"";

        assertThat(Marker.close(text, _ -> "a\"b\\c ${d}", _ -> ""))
                .isEqualTo("\"a\\\"b\\\\c ${d}\" \"a\\\"b\\\\c ${DOLLAR}{d}\"");
        assertThat(Marker.secretsIn(text)).containsExactly("door_secret");
        assertThat(Marker.withFacts(text, _ -> "")).isEqualTo(text);
        assertThat(Marker.masked(text)).isEqualTo("\"***\" \"***\"");
    }

    @Test
    void itStaysAMarkerWhileOnlyFactsAreKnown() {
        var text = LINE + Marker.fact(new Item.Unknown("head", "address"));

        assertThat(Marker.withFacts(text, _ -> "10.0.0.1")).isEqualTo(LINE + "10.0.0.1");
        assertThat(Marker.masked(LINE)).isEqualTo("key: <public half of lab_ssh_key>\n");
    }
}
