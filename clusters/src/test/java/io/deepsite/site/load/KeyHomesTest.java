package io.deepsite.site.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KeyHomesTest {
    private static final Pattern MOVE = Pattern.compile("It is a key of clusters\\.it(.*); move it there\\.");

    static List<String> kinds() {
        return TestSites.ALL.model().kinds();
    }

    /** Otherwise the next run would say that the key does not belong there, either. */
    @ParameterizedTest
    @MethodSource("kinds")
    void aKeyIsSentOnlyWhereTheClustersKindHasIt(String kind) {
        var catalogue = new Catalogue(TestSites.ALL.model());
        var places = new TreeSet<String>();
        var keys = new TreeSet<String>();
        for (var entry : catalogue.entries()) {
            if (entry.path().size() > 2 && entry.isField()) {
                keys.add(entry.field().key());
                if (entry.kind().equals(Optional.of(kind)) && !entry.field().notYet()) {
                    places.add(entry.text());
                }
            }
        }
        var homes = homes(Map.of("it", kind), "static");

        for (var key : keys) {
            homes.hint(key, "clusters.it")
                    .map(MOVE::matcher)
                    .filter(move -> move.matches())
                    .ifPresent(move -> assertThat(places).contains("clusters.<name>" + move.group(1) + "." + key));
        }
    }

    @Test
    void namesTheClusterThatIsMeant() {
        var homes = homes(Map.of("pods", "kubernetes", "hpc", "slurm"), "lxd");

        assertThat(homes.hint("timeSlicing", "clusters.pods"))
                .contains("It is a key of clusters.pods.gpu; move it there.");
        assertThat(homes.hint("timeSlicing", "")).contains("It is a key of clusters.pods.gpu; move it there.");
        assertThat(homes.hint("timeSlicing", "clusters.hpc.partitions.long"))
                .contains("Only clusters of kind kubernetes have it, in clusters.<name>.gpu; this one is of kind slurm."
                        + " Remove it.");
    }

    @Test
    void saysThatTheSiteHasNoClusterWithTheKey() {
        assertThat(homes(Map.of("hpc", "slurm"), "lxd").hint("timeSlicing", ""))
                .contains("Only clusters of kind kubernetes have it, in clusters.<name>.gpu; this site has none."
                        + " Remove it.");
    }

    @Test
    void severalClustersOfTheKindAreNotMistakenForOne() {
        assertThat(homes(Map.of("a", "kubernetes", "b", "kubernetes"), "lxd").hint("timeSlicing", ""))
                .contains("It is a key of clusters.<name>.gpu in kind kubernetes; move it there.");
    }

    @Test
    void aSecondProviderIsNoPlaceToMoveAKeyTo() {
        assertThat(homes(Map.of(), "lxd").hint("inventory", "provider.lxd"))
                .contains("Only the provider static has it; this site's is lxd. Remove it.");
        assertThat(homes(Map.of(), "static").hint("inventory", ""))
                .contains("It is a key of provider.static; move it there.");
    }

    /** Such a key is refused in its own place, too. */
    @Test
    void noHintLeadsToAKeyThatIsNotEnforced() {
        assertThat(new Catalogue(TestSites.ALL.model()).homes("mig"))
                .extracting(Catalogue.Home::text)
                .contains("clusters.<name>.gpu")
                .doesNotContain("machines.<name>.gpus", "machines.<name>.gpus[]");
    }

    private static KeyHomes homes(Map<String, String> kinds, String provider) {
        return new KeyHomes(TestSites.ALL.model(), kinds, Optional.of(provider));
    }
}
