package io.deepsite.statics;

import io.deepsite.diag.Failure;
import io.deepsite.provider.Provider;
import io.deepsite.provider.ProviderFactory;
import io.deepsite.remote.TrustedHosts;
import io.deepsite.site.Name;
import io.deepsite.site.load.CheckContext;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/** The provider {@code static}: hosts that exist already, listed in an inventory. */
public final class StaticProviderFactory implements ProviderFactory<StaticSettings> {
    @Override
    public String name() {
        return "static";
    }

    @Override
    public Class<StaticSettings> settings() {
        return StaticSettings.class;
    }

    @Override
    public void check(CheckContext context, StaticSettings settings) {
        context.findings()
                .noEffect(
                        context.places(),
                        "lease",
                        "Existing hosts carry no expiry tag, so nothing would end the site.");
    }

    @Override
    public Provider open(StaticSettings settings, Path folder) {
        return new StaticProvider(
                file(settings, folder),
                new InventoryProgram("ansible-inventory", InventoryProgram.PATIENCE),
                TrustedHosts.files(Path.of(System.getProperty("user.home"))));
    }

    /** Not of an inventory that a program or a plugin makes: that may ask a server. */
    @Override
    public OptionalInt listed(StaticSettings settings, Path folder, Collection<Name> groups) {
        return listed(
                InventoryProgram.ofFiles("ansible-inventory", InventoryProgram.PATIENCE),
                file(settings, folder),
                groups);
    }

    static OptionalInt listed(InventoryProgram program, Path file, Collection<Name> groups) {
        try {
            var inventory = program.read(file);
            return OptionalInt.of((int) groups.stream()
                    .flatMap(group -> StaticSurvey.hosts(inventory, group).stream())
                    .distinct()
                    .count());
        } catch (Failure e) {
            // A plan reads it again, and says what is wrong with it.
            return OptionalInt.empty();
        }
    }

    private static Path file(StaticSettings settings, Path folder) {
        return folder.resolve(settings.inventory()).toAbsolutePath().normalize();
    }

    @Override
    public SortedMap<String, String> recorded(StaticSettings settings) {
        return new TreeMap<>(Map.of("inventory", settings.inventory()));
    }
}
