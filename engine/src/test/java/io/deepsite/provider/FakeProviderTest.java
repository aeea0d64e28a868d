package io.deepsite.provider;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.site.ProviderSettings;
import java.util.Optional;
import java.util.Set;

/** The provider in memory keeps the contract, so that tests over it say something. */
final class FakeProviderTest extends ProviderContractTest {
    private final FakeProvider.Cloud cloud = new FakeProvider.Cloud();

    @Override
    protected boolean bakesImages() {
        return true;
    }

    @Override
    protected Provider open() {
        return new FakeProvider(cloud);
    }

    @Override
    protected ProviderSettings settings() {
        return new FakeSettings();
    }

    @Override
    protected String image() {
        return "debian/12";
    }

    @Override
    protected Optional<String> readFile(String backEndName, String path) {
        return cloud.boot(backEndName).files().stream()
                .filter(file -> file.path().equals(path))
                .map(Boot.BootFile::content)
                .findFirst();
    }

    @Override
    protected Set<String> released() {
        return Set.of(FakeProvider.KIND_NETWORK);
    }

    @Override
    protected Optional<String> standing(ObservedResource seen) {
        return cloud.tags(seen.id().kind(), seen.name());
    }

    @Override
    protected void removeReleased(ObservedResource seen) {
        cloud.remove(seen.id().kind(), seen.name());
    }

    @Override
    protected void makeHalf(Resource machine, Tags tags) {
        var killed = new FakeProvider(cloud);
        killed.failHalfway(
                "create " + machine.id(), new Failure(Diagnostic.error(Code.PROVIDER_REFUSED, "Killed.", "")));
        assertRefused(Code.PROVIDER_REFUSED, () -> killed.create(machine, tags, Boot.NONE, Call.QUIET));
    }

    @Override
    protected void makeForeign(Resource machine) {
        cloud.addForeign(ResourceId.MACHINE, machine.name());
    }

    @Override
    protected void removeForeign(Resource machine) {
        cloud.remove(ResourceId.MACHINE, machine.name());
    }
}
