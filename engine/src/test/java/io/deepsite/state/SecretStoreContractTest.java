package io.deepsite.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of secrets in every {@link Vault}; a vault's own test extends this class. */
public abstract class SecretStoreContractTest {
    private static final SecretKind BYTES = new SecretKind.RandomBytes(16);

    @TempDir
    protected Path folder;

    /** Reopens the vault of one site as the holder of its lock. */
    protected abstract Vault open();

    @Test
    void hasNoneAtFirst() {
        assertThat(open().read()).isEmpty();
        assertThat(secrets().names()).isEmpty();
        assertThat(secrets().siteKey()).isEmpty();
    }

    @Test
    void givesBackWhatWasPut() {
        secrets().put("a", Secret.of("1"));
        secrets().put("b", Secret.of("2"));
        secrets().put("a", Secret.of("ä3"));

        assertThat(secrets().find("a")).contains(Secret.of("ä3"));
        assertThat(secrets().names()).containsExactly("a", "b");
    }

    @Test
    void storesNothingInPlainText() {
        secrets().put("a", Secret.of("correct horse battery staple"));

        assertThat(new String(open().read().orElseThrow(), StandardCharsets.ISO_8859_1))
                .doesNotContain("correct horse");
    }

    @Test
    void keepsWhatIsThereAlsoAmongMany() {
        var first = secrets().ensure("b", BYTES);

        secrets().ensure(Map.of("a", BYTES, "b", BYTES));

        assertThat(secrets().names()).containsExactly("a", "b");
        assertThat(secrets().find("b")).contains(first);
    }

    @Test
    void seesItsOwnWrites() {
        var secrets = secrets();
        assertThat(secrets.names()).isEmpty();

        secrets.put("a", Secret.of("1"));

        assertThat(secrets.names()).containsExactly("a");
        assertThat(secrets.fingerprints()).containsOnlyKeys("a");
    }

    @Test
    void generatesOneSecretWhenManyThreadsAsk() throws InterruptedException {
        var secrets = secrets();
        Set<String> seen = ConcurrentHashMap.newKeySet();
        var threads = IntStream.range(0, 16)
                .mapToObj(_ -> Thread.startVirtualThread(
                        () -> seen.add(secrets.ensure("munge_key", BYTES).reveal())))
                .toList();
        for (var thread : threads) {
            thread.join();
        }

        assertThat(seen).hasSize(1);
    }

    private SecretStore secrets() {
        return new SecretStore(open(), VaultKeyFile.locate(Map.of(), folder), _ -> {});
    }
}
