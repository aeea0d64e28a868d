package io.deepsite.opennebula;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.deepsite.opennebula.Quotas.What;
import io.deepsite.opennebula.oca.Accounts;
import io.deepsite.opennebula.oca.Element;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.SAXException;

/** Quotas as a real oned sent them: what deepsite reads of them, and that the stand-in sends the same elements. */
final class RecordedQuotasTest {
    @TempDir
    private Path folder;

    @Test
    void quotasOfTheCloudAndOfAClusterAreApart() throws IOException, SAXException {
        var limits = Quotas.of(recorded(), Optional.empty()).limits();

        assertThat(limits)
                .extracting(Quotas.Limit::what, Quotas.Limit::clusters, Quotas.Limit::limit, Quotas.Limit::used)
                .containsExactlyInAnyOrder(
                        tuple(What.VMS, Set.of(0), 2.0, 1.0),
                        tuple(What.VMS, Set.of(), 5.0, 1.0),
                        tuple(What.RUNNING_MEMORY, Set.of(0), 512.0, 128.0),
                        tuple(What.RUNNING_MEMORY, Set.of(), 1024.0, 128.0));
    }

    @Test
    void standInSendsTheSameElements() throws IOException, SAXException {
        try (var front = StandIn.start("7.0.2", folder.resolve("state"))) {
            front.cloud().quotas(QuotaCheckTest.QUOTAS.formatted(0), "");

            assertThat(paths(recorded()))
                    .containsAll(paths(new Accounts(Fronts.client(front, Duration.ofMinutes(1))).myself()))
                    .contains("USER/VM_QUOTA/VM/CLUSTER_IDS");
        }
    }

    private static List<String> paths(Element element) {
        return Stream.concat(
                        Stream.of(element.name()),
                        element.children().stream()
                                .flatMap(child -> paths(child).stream().map(path -> element.name() + "/" + path)))
                .distinct()
                .toList();
    }

    private static Element recorded() throws IOException, SAXException {
        try (var in = Objects.requireNonNull(
                RecordedQuotasTest.class.getResourceAsStream("/recorded/one.user.info-7.0.2.xml"))) {
            return Element.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
