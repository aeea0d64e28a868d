package io.deepsite.cluster.slurm;

import static io.deepsite.diag.FaultMessage.assertReads;
import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.apply.RoleFault;
import io.deepsite.cluster.HostScripts;
import io.deepsite.cluster.HostScripts.Said;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The steps of an upgrade on a controller, with stand-ins of apt, dpkg and systemd that note their calls; the lane slurm-upgrade
 * runs them with real ones.
 */
class SlurmReleaseScriptTest {
    private static final String OLD = "20.11.7+really20.11.4-2+deb11u1";
    private static final String NEW = "22.05.8-4+deb12u3";

    @TempDir
    private Path folder;

    private HostScripts host;

    @BeforeEach
    void aControllerWithTheOlderRelease() throws Exception {
        host = new HostScripts(folder, SlurmSite.site("debian/12", "version: \"22.05\""), SlurmSite.machines(1, true));
        Files.createDirectories(folder.resolve("usr/sbin"));
        Files.writeString(folder.resolve("calls"), "");
        Files.writeString(folder.resolve("units"), "active");
        archive(NEW, OLD);
        installed(OLD, "slurmctld", "slurmdbd", "slurm-client", "slurm-wlm-basic-plugins", "libslurm36");
        host.program("dpkg", "[ \"$1\" = --audit ] || " + noted("dpkg"));
        host.program("apt-get", """
                case " $* " in
                *' --simulate '*) cat %1$s/removals 2>/dev/null; exit 0 ;;
                *' update '*) echo apt-get update >>%1$s/calls; exit 0 ;;
                esac
                policy=without
                [ ! -e %1$s/usr/sbin/policy-rc.d ] || policy=with
                echo "apt-get $policy policy ${*#*Recommends=false }" >>%1$s/calls
                """.formatted(folder));
        host.program("systemctl", """
                case $* in
                *ActiveState*) cat %1$s/units; exit 0 ;;
                *SubState*) echo running; exit 0 ;;
                *MainPID*) echo 0; exit 0 ;;
                restart*) echo "systemctl $*" >>%1$s/calls; ! [ -e %1$s/broken ]; exit ;;
                esac
                echo "systemctl $*" >>%1$s/calls
                """.formatted(folder));
        host.program("journalctl", "echo 'slurmdbd: fatal: Database settings not recommended values'\n");
        host.program("mariadb-dump", noted("mariadb-dump") + "[ ! -e " + folder + "/broken ]\n");
        host.program("tar", noted("tar") + "touch \"$4\"\n");
        host.program(
                "df", "printf 'Filesystem 1048576-blocks Used Available Capacity Mounted\\n/ 9 9 9000 9%% /\\n'\n");
    }

    @Test
    void isDoneWhenAllPackagesAreOfTheRelease() throws Exception {
        assertThat(run("check").exit()).isEqualTo(1);

        installed(NEW, "slurmctld", "slurmdbd", "slurm-client");
        assertThat(run("check").exit()).isZero();

        Files.createDirectories(kept());
        Files.writeString(kept().resolve("begun"), "");
        assertThat(run("check").exit()).isEqualTo(1);
    }

    /** Libraries of the older release may stay beside those of the newer one, which have other names. */
    @Test
    void aLibraryOfBeforeDoesNotCount() throws Exception {
        installed(NEW, "slurmctld", "slurm-client");
        Files.writeString(
                folder.resolve("packages"),
                Files.readString(folder.resolve("packages")) + "ii  slurm-wlm libslurm36 " + OLD + "\n");

        assertThat(run("check").exit()).isZero();
    }

    @Test
    void whereNothingIsInstalledTheArchiveCounts() throws Exception {
        installed(OLD);
        assertThat(run("check").exit()).isZero();

        archive("24.11.5-4+deb13u1");
        assertThat(run("check").exit()).isEqualTo(1);
        told("offered", "slurm/DS3280-not-in-the-archive");
    }

    @Test
    void aReleaseThatNoArchiveHasStopsBeforeADaemonDoes() throws Exception {
        archive(OLD);

        told("offered", "slurm/DS3280-only-the-old-one");

        assertThat(calls()).containsOnly("apt-get update");
    }

    @Test
    void aStepThatFailsIsTheLast() throws Exception {
        archive(OLD);

        assertThat(run("offered", "copies", "packages", "slurmdbd").exit()).isEqualTo(1);

        assertThat(calls()).containsOnly("apt-get update");
    }

    @Test
    void anUpgradeThatWouldRemoveOtherPackagesStops() throws Exception {
        Files.writeString(folder.resolve("removals"), "Inst slurmctld [1] (2)\nRemv libslurm-dev [20.11.7]\n");

        told("offered", "slurm/DS3280-removes");
    }

    @Test
    void slurmctldRunsOnWhileTheDatabaseIsDumped() throws Exception {
        assertThat(run("copies").exit()).isZero();

        assertThat(calls())
                .containsSubsequence(
                        "systemctl stop slurmdbd.service",
                        "mariadb-dump --databases slurm_acct_db",
                        "systemctl stop slurmctld.service");
        assertThat(kept().resolve("20.11/slurm_acct_db.sql.gz")).isNotEmptyFile();
        assertThat(kept().resolve("20.11/state.tar.gz")).exists();
        assertThat(kept().resolve("begun")).exists();
    }

    @Test
    void whatWasCopiedAndHasNotRunSinceIsNotCopiedAgain() throws Exception {
        run("copies");
        Files.writeString(folder.resolve("calls"), "");
        Files.writeString(folder.resolve("units"), "inactive");

        assertThat(run("copies").exit()).isZero();

        assertThat(calls()).isEmpty();
    }

    @Test
    void aDatabaseThatCannotBeDumpedLeavesSlurmdbdRunning() throws Exception {
        Files.writeString(folder.resolve("broken"), "");

        told("copies", "slurm/DS3281-no-dump");

        assertThat(calls())
                .contains("systemctl start --no-block slurmdbd.service")
                .noneMatch(call -> call.contains("slurmctld"));
    }

    @Test
    void withoutRoomNothingStops() throws Exception {
        host.program("df", "printf 'Filesystem 1048576-blocks Used Available Capacity Mounted\\n/ 9 9 9 9%% /\\n'\n");

        told("copies", "slurm/DS3282-small-disk");

        assertThat(calls()).isEmpty();
    }

    @Test
    void allPackagesOfTheHostChangeTogetherAndStartNothing() throws Exception {
        assertThat(run("packages").exit()).isZero();

        assertThat(calls())
                .containsExactly(
                        "apt-get with policy install -- slurmctld slurmdbd slurm-client slurm-wlm-basic-plugins");
        assertThat(folder.resolve("usr/sbin/policy-rc.d")).doesNotExist();
    }

    @Test
    void aDaemonThatDoesNotStartIsTold() throws Exception {
        run("packages");
        Files.writeString(folder.resolve("units"), "inactive");
        Files.writeString(folder.resolve("broken"), "");

        told("slurmdbd", "slurm/DS3281-slurmdbd");
    }

    @Test
    void afterTheLastStepNothingIsLeftToDo() throws Exception {
        run("packages");
        installed(NEW, "slurmctld", "slurmdbd", "slurm-client");
        Files.writeString(folder.resolve("units"), "inactive");

        for (var step : List.of("offered", "copies", "packages", "slurmdbd", "slurmctld", "clients")) {
            assertThat(run(step).exit()).as(step).isZero();
        }

        assertThat(calls()).endsWith("systemctl restart slurmdbd.service", "systemctl restart slurmctld.service");
        assertThat(run("check").exit()).isZero();
    }

    private Said run(String... steps) throws Exception {
        return host.run(
                "head",
                "deepsite-slurm-release",
                Stream.concat(Stream.of("22.05"), Stream.of(steps)).toArray(String[]::new));
    }

    private void told(String step, String name) throws Exception {
        var said = run(step);

        assertThat(said.exit()).isEqualTo(1);
        assertReads(
                name,
                () -> {
                    throw new Failure(RoleFault.in(said.err()).stream()
                            .map(fault -> fault.diagnostic("slurm_release", "head", Path.of("runs/1/ansible.log")))
                            .toList());
                },
                text -> text.replace(folder.toString(), ""));
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(folder.resolve("calls"));
    }

    private Path kept() {
        return folder.resolve("var/lib/deepsite/slurm-upgrade");
    }

    private String noted(String program) {
        return "echo \"" + program + " $*\" >>" + folder + "/calls\n";
    }

    private void installed(String version, String... names) throws IOException {
        var lines = new StringBuilder("ii  bash bash 5.2.15-2\n");
        for (var name : names) {
            lines.append("ii  slurm-wlm ")
                    .append(name)
                    .append(' ')
                    .append(version)
                    .append('\n');
        }
        Files.writeString(folder.resolve("packages"), lines);
        host.program("dpkg-query", "cat " + folder + "/packages\n");
    }

    /** The first is the one that apt would install. */
    private void archive(String... versions) throws IOException {
        var madison = new StringBuilder();
        for (var version : versions) {
            madison.append(" slurm-client | ").append(version).append(" | mirror main amd64 Packages\n");
        }
        Files.writeString(folder.resolve("madison"), madison);
        host.program("apt-cache", """
                case $1 in
                madison) cat %s/madison ;;
                policy) printf '%%s:\\n  Installed: (none)\\n  Candidate: %%s\\n' "$3" '%s' ;;
                esac
                """.formatted(folder, versions[0]));
    }
}
