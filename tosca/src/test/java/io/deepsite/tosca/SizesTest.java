package io.deepsite.tosca;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizesTest {
    @ParameterizedTest
    @CsvSource({
        "2 GB, 1908MiB",
        "2 GiB, 2GiB",
        "512 MB, 489MiB",
        "1.5 GiB, 1536MiB",
        "2048 MiB, 2GiB",
        "1 TB, 953675MiB",
        "4gb, 3815MiB"
    })
    void roundsUpToWholeMebibytes(String text, String size) {
        assertThat(Sizes.parse(text)).map(Object::toString).contains(size);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 GiB", "", "2", "2 XB", "-1 GB", "1e9 GB", "99999999999999 TB"})
    void everythingElseIsNoSize(String text) {
        assertThat(Sizes.parse(text)).isEmpty();
    }
}
