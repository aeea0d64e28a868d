package io.deepsite.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileStateStoreTest extends StateStoreContractTest {
    @TempDir
    Path folder;

    @Override
    protected StateStore open() {
        return new FileStateStore(stateFolder());
    }

    @Test
    void keepsTheStateBeforeAsBackup() throws IOException {
        var first = open().write(SiteState.fresh("lab", "0.1.0"));
        open().write(Images.with(first, "debian/12", "f00"));

        var backup = AtomicFile.backup(stateFolder().stateFile());

        assertThat(FileStateStore.read(Files.readAllBytes(backup), backup)).isEqualTo(first);
    }

    @Test
    void keepsEverythingForTheOwnerOnly() throws IOException {
        Files.createDirectories(stateFolder().path());
        Files.setPosixFilePermissions(stateFolder().path(), PosixFilePermissions.fromString("rwxr-xr-x"));

        open().write(SiteState.fresh("lab", "0.1.0"));

        assertThat(Files.getPosixFilePermissions(stateFolder().path())).isEqualTo(AtomicFile.OWNER_FOLDER);
        assertThat(Files.getPosixFilePermissions(stateFolder().stateFile())).isEqualTo(AtomicFile.OWNER_ONLY);
    }

    @Test
    void doesNotOverwriteWhatItCannotRead() throws IOException {
        var written = open().write(SiteState.fresh("lab", "0.1.0"));
        Files.writeString(stateFolder().stateFile(), "{ \"lineage\": ");

        var failure = catchThrowableOfType(Failure.class, () -> open().write(written));

        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.STATE_UNREADABLE);
        assertThat(stateFolder().stateFile()).hasContent("{ \"lineage\": ");
    }

    @Test
    void aFailedWriteLeavesTheOldState() throws IOException {
        var written = open().write(SiteState.fresh("lab", "0.1.0"));
        var aside = stateFolder().path().resolve("state.json.new");
        Files.createDirectory(aside);
        Files.createFile(aside.resolve("in-the-way"));

        var failure = catchThrowableOfType(Failure.class, () -> open().write(written));

        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.STATE_NOT_WRITTEN);
        assertThat(open().read()).contains(written);
    }

    @Test
    void aMissingStateIsNotReplacedByAnEmptyOne() throws IOException {
        open().write(open().write(SiteState.fresh("lab", "0.1.0")));
        Files.delete(stateFolder().stateFile());

        var reading = catchThrowableOfType(Failure.class, () -> open().read());
        var writing = catchThrowableOfType(Failure.class, () -> open().write(SiteState.fresh("lab", "0.1.0")));

        assertThat(reading.diagnostics().getFirst().commands()).anyMatch(command -> command.startsWith("cp "));
        assertThat(writing.diagnostics().getFirst().code()).isEqualTo(Code.STATE_UNREADABLE);
    }

    @ParameterizedTest
    @CsvSource({"before, 1", "mid, 1", "after, 2"})
    void aKilledWriterLeavesTheOldStateOrTheNew(String point, long serial) throws Exception {
        Doomed.run(WriteTwice.class, "state.write." + point + ":2", Doomed.KILLED, folder);

        var survived = open().read().orElseThrow();
        var next = open().write(Images.with(survived, "after", "the crash"));

        assertThat(survived.serial()).isEqualTo(serial);
        assertThat(survived.parameters()).containsEntry("write", Long.toString(serial));
        assertThat(next.serial()).isEqualTo(serial + 1);
        assertThat(stateFolder().path().resolve("state.json.new")).doesNotExist();
    }

    @Test
    void aFolderThatCannotBeMadeIsAnAnswerNotACrash() throws IOException {
        Files.createFile(folder.resolve(".deepsite"));

        var failure = catchThrowableOfType(Failure.class, () -> open().write(SiteState.fresh("lab", "0.1.0")));

        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.STATE_NOT_WRITTEN);
    }

    private StateFolder stateFolder() {
        return StateFolder.of(folder.resolve("site.yaml"), "lab");
    }

    static final class WriteTwice {
        private WriteTwice() {}

        public static void main(String[] arguments) {
            var store = new FileStateStore(StateFolder.of(Path.of(arguments[0], "site.yaml"), "lab"));
            var first = store.write(SiteState.fresh("lab", "0.1.0").withParameters(Map.of("write", "1")));
            store.write(first.withParameters(Map.of("write", "2")));
        }
    }
}
