package io.deepsite.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The cards and architectures that deepsite knows, read once. A card that is not there is no fault: nothing is said of it. */
public final class GpuTable {
    private static final String NOT_SAID = "?";
    private static final String NONE = "-";

    private final List<GpuCard> cards;

    private GpuTable(List<GpuCard> cards) {
        this.cards = cards;
    }

    private static final class Known {
        private static final GpuTable TABLE = new GpuTable(read());
    }

    public static GpuTable known() {
        return Known.TABLE;
    }

    public List<GpuCard> cards() {
        return cards;
    }

    /** @param id the device's four hexadecimal digits */
    public Optional<GpuCard> withId(String id) {
        return cards.stream().filter(card -> card.id().equals(id)).findFirst();
    }

    /**
     * Those that a model in site.yaml may mean: all that have its words; else, case, blanks and hyphens aside, those whose
     * name holds it, as the providers compare it.
     */
    public List<GpuCard> called(String model) {
        var words = words(model);
        if (words.isEmpty()) {
            return List.of();
        }
        var exact = cards.stream()
                .filter(card -> words(card.model()).containsAll(words))
                .toList();
        return !exact.isEmpty()
                ? exact
                : cards.stream()
                        .filter(card -> plain(card.model()).contains(plain(model)))
                        .toList();
    }

    private static List<String> words(String model) {
        return Arrays.stream(model.toLowerCase(Locale.ROOT).split("[\\s/_-]+"))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private static String plain(String model) {
        return String.join("", words(model));
    }

    private static List<GpuCard> read() {
        var architectures = rows("gpu-architectures.tsv").stream()
                .map(GpuTable::architecture)
                .collect(Collectors.toMap(GpuArchitecture::name, Function.identity()));
        return rows("gpus.tsv").stream().map(row -> card(row, architectures)).toList();
    }

    private static GpuArchitecture architecture(String[] row) {
        return new GpuArchitecture(
                row[0],
                row[1],
                row[2],
                given(row[3]).map(Integer::valueOf),
                given(row[4]).map(Integer::valueOf),
                GpuArchitecture.Modules.valueOf(row[5].toUpperCase(Locale.ROOT)),
                CudaVersion.parse(row[6]),
                given(row[7]).map(CudaVersion::parse),
                GpuArchitecture.Mps.valueOf(row[8].toUpperCase(Locale.ROOT)));
    }

    private static GpuCard card(String[] row, Map<String, GpuArchitecture> architectures) {
        var architecture = architectures.get(row[2]);
        if (architecture == null) {
            throw new IllegalStateException("gpus.tsv: no architecture " + row[2]);
        }
        return new GpuCard(
                row[0],
                row[1],
                architecture,
                GpuCard.Market.valueOf(row[3].toUpperCase(Locale.ROOT)),
                row[4].equals(NOT_SAID)
                        ? Optional.empty()
                        : Optional.of(given(row[4])
                                .map(profiles -> List.of(profiles.split(",")))
                                .orElse(List.of())));
    }

    private static Optional<String> given(String value) {
        return Optional.of(value).filter(text -> !text.equals(NONE));
    }

    private static List<String[]> rows(String name) {
        try (var stream = GpuTable.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("no resource " + name);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("\t"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
