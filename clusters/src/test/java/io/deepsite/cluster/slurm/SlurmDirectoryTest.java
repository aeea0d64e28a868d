package io.deepsite.cluster.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.cluster.FailingTool;
import io.deepsite.cluster.HostScripts;
import io.deepsite.cluster.OneRole;
import io.deepsite.cluster.Stage;
import io.deepsite.contract.Item;
import io.deepsite.contract.Marker;
import io.deepsite.provider.Machine;
import io.deepsite.remote.Executable;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.render.TemplateRenderer;
import io.deepsite.site.Site;
import io.deepsite.site.load.Golden;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users of a directory, on the machines and in the accounts of a Slurm cluster. */
class SlurmDirectoryTest {
    private static final List<Machine> MACHINES = SlurmSite.machines(2, true);
    private static final String SSSD = "/etc/sssd/sssd.conf";
    private static final String DROP_IN = "/etc/ssh/sshd_config.d/30-deepsite-directory.conf";

    @TempDir
    private Path folder;

    @Test
    void everyMachineKnowsThemBeforeJobsRun() {
        var stages = TestSites.stages(site("", ""), MACHINES);

        assertThat(stage(stages, "site.directory").hosts()).containsExactly("head", "node-1", "node-2");
        assertThat(stage(stages, "site.directory").needs())
                .containsExactlyInAnyOrder("site.users", "hpc.shared_home", "site.etc_hosts");
        assertThat(stage(stages, "hpc.slurm_accounts").needs()).contains("site.directory");
        assertThat(stage(stages, "hpc.slurm_node").needs()).contains("site.directory");
    }

    @Test
    void sssdDemandsTlsAndCountsIdsOfTheRangeOnly() {
        var text = files(site("", ""), "head").get(SSSD);

        assertThat(text)
                .contains(
                        "ldap_uri = ldaps://ldap-1.example.org, ldaps://ldap-2.example.org:6360\n",
                        "ldap_id_use_start_tls = false\n",
                        "ldap_tls_reqcert = demand\n",
                        "ldap_tls_cacert = /etc/ssl/certs/ca-certificates.crt\n",
                        "simple_allow_groups = physics, Chem_2\n",
                        "ldap_group_search_base = ou=groups,dc=example,dc=org?subtree?(&(gidNumber>=10000)(gidNumber<=49999))\n",
                        "ldap_user_search_base = dc=example,dc=org\n",
                        "min_id = 10000\nmax_id = 49999\n",
                        "auth_provider = none\n",
                        "filter_users = root, deepsite-verify, alice, students\n")
                .doesNotContain("ldap_default_authtok");
    }

    @Test
    void thePasswordIsASecretOfAFileThatOnlyRootReads() {
        var site = site("bind: \"cn=reader,dc=example,dc=org\"", "");
        var items = OneRole.of(site, MACHINES, "site_directory", "node-1");

        assertThat(files(site, "node-1").get(SSSD))
                .contains(
                        "ldap_default_bind_dn = cn=reader,dc=example,dc=org\n",
                        "ldap_default_authtok = " + Marker.secret("directory_bind_password") + "\n");
        assertThat(items.contract().items())
                .filteredOn(
                        item -> item instanceof Item.File file && file.path().equals(SSSD))
                .singleElement()
                .extracting(item -> ((Item.File) item).mode())
                .isEqualTo("0600");
    }

    @Test
    void plainLdapIsSecuredFirst() {
        assertThat(files(site("uris: [\"ldap://ldap.example.org\"]", ""), "head")
                        .get(SSSD))
                .contains("ldap_uri = ldap://ldap.example.org\n", "ldap_id_use_start_tls = true\n");
    }

    @Test
    void ownKeysCanBeSwitchedOff() {
        assertThat(files(site("", ""), "head").get(DROP_IN))
                .contains(
                        "Match Group physics,Chem_2\n",
                        "AuthorizedKeysCommand /usr/libexec/deepsite-directory-keys %u\n");
        assertThat(files(site("ownKeys: false", ""), "head").get(DROP_IN))
                .contains("    AuthorizedKeysFile none\n    AuthorizedKeysCommand none\n")
                .doesNotContain("deepsite-directory-keys");
    }

    @Test
    void aGroupIsAnAccountsWithItsLimitsForEachUser() {
        var accounts = "accounts: {science: {users: [alice], directoryGroups: [physics], perUser: {jobs: 2}}}";

        assertThat(entries(site("", accounts)))
                .contains("user science alice MaxJobs=2", "group science physics MaxJobs=2")
                .noneMatch(line -> line.contains("Chem_2"));
    }

    @Test
    void withoutAccountsAllWhoMayLogInShareTheSites() {
        assertThat(entries(site("", "")))
                .contains("group quickstart physics", "group quickstart Chem_2", "user quickstart alice");
    }

    @Test
    void theControllerLooksUpWhoIsInAGroup() throws Exception {
        answers("sacctmgr", "");
        answers("deepsite-directory", "[ \"$*\" = 'members physics' ] && printf 'ada\\nben\\n'");

        var said = accounts("check");

        assertThat(said.exit()).isEqualTo(1);
        assertThat(said.out())
                .contains("add user science alice\n", "add user science ada\n", "add user science ben\n")
                .doesNotContain("delete");
    }

    /** Nobody loses an account because the directory does not answer. */
    @Test
    void aGroupThatIsNotKnownIsAFaultAndChangesNothing() throws Exception {
        answers(
                "sacctmgr",
                "for word; do case $word in add | modify | delete) touch \"${0%/*}/changed\" ;; esac; done");
        answers("deepsite-directory", "printf 'FAULT\\tDS3270\\twhy\\tfix\\n' >&2\nexit 1");

        var said = accounts("apply");

        assertThat(said.exit()).isEqualTo(1);
        assertThat(said.err()).isEqualTo("FAULT\tDS3270\twhy\tfix\n");
        assertThat(folder.resolve("changed")).doesNotExist();
    }

    /** ada is there, ben joined, cyd left, eve is an administrator's; what the file names is not this run's, alice and the account. */
    @Test
    void theTimerFollowsTheGroupAndNothingElse() throws Exception {
        answers("sacctmgr", """
                case "$*" in
                    *add*|*modify*|*delete*) echo "$*" >>"${0%/*}/changes" ;;
                    *'show cluster'*) echo quickstart ;;
                    *'show associations'*account=*) ;;
                    *'show associations'*) printf '%s\n' 'science||root|9||||||||' 'science|ada||1|||||9||||' 'science|cyd||1||||||||' 'science|eve||1||||||||' ;;
                    *'show user'*) printf '%s\n' 'ada|science' 'cyd|science' 'eve|science' ;;
                esac""");
        answers("deepsite-directory", "printf 'ada\nben\n'");
        Files.writeString(folder.resolve("slurm_accounts.json"), """
                {"account science ": {"made": true, "set": {"Fairshare": "1"}}, "user science ada": {"made": true, "set": {}},
                 "user science cyd": {"made": true, "set": {}}}""");

        var said = accounts("members");

        assertThat(said.err()).isEmpty();
        assertThat(said.exit()).isZero();
        assertThat(Files.readString(folder.resolve("changes")))
                .contains("add user ben ", "delete user where name=cyd account=science")
                .doesNotContain("alice", "ada", "eve", "Fairshare");
        assertThat(Files.readString(folder.resolve("slurm_accounts.json")))
                .contains("account science ", "user science ada", "user science ben")
                .doesNotContain("cyd");
    }

    private HostScripts.Said accounts(String verb) throws Exception {
        var site = site("", "accounts: {science: {users: [alice], directoryGroups: [physics]}}");
        var files = files(site, "head");
        var list = Files.writeString(
                folder.resolve("accounts"), Objects.requireNonNull(files.get("/etc/slurm/deepsite-accounts")));
        return run(
                files.get("/usr/local/sbin/deepsite-slurm-accounts")
                        .replace(
                                "/usr/local/sbin/deepsite-directory",
                                folder.resolve("deepsite-directory").toString())
                        .replace("/etc/slurm/deepsite-accounts", list.toString())
                        .replace("/var/lib/deepsite", folder.toString()),
                verb);
    }

    @Test
    void acceptance() {
        var proofs = TestSites.acceptance(
                site("", "accounts: {science: {users: [alice], directoryGroups: [physics, Chem_2]}}"), MACHINES);
        var proof = proofs.getLast();

        assertThat(proof.template()).isEqualTo("slurm/verify-directory.sh.j2");
        Golden.assertSame(
                Path.of("src/test/resources/golden/scripts/slurm-directory/verify-directory.sh"),
                new TemplateRenderer(DeepsiteHome.find()).render(proof.template(), proof.variables()));
    }

    @Test
    void aDirectoryThatDoesNotAnswerIsAFault() throws Exception {
        fails("directory/DS3270-does-not-answer", 9, "");
    }

    @Test
    void aDirectoryThatRefusesTheLoginIsAFault() throws Exception {
        answers("ldapwhoami", "echo 'ldap_bind: Invalid credentials (49)' >&2\nexit 49");

        failsWithAServer("directory/DS3270-wrong-password", "bind: \"cn=reader,dc=example,dc=org\"");
    }

    @Test
    void aGroupThatIsNotThereIsAFault() throws Exception {
        answers("ldapwhoami", "echo anonymous");
        answers("ldapsearch", "exit 0");

        failsWithAServer("directory/DS3270-no-group", "");
    }

    @Test
    void aGroupOutsideOfTheRangeIsAFault() throws Exception {
        answers("ldapwhoami", "echo anonymous");
        answers("ldapsearch", "printf 'dn: cn=physics,ou=groups,dc=example,dc=org\\ngidNumber: 27\\n\\n'");

        failsWithAServer("directory/DS3270-gid", "");
    }

    @Test
    void whatWasAnsweredCountsUntilTheConfigurationChanges() throws Exception {
        answers("ldapwhoami", "echo anonymous");
        answers("ldapsearch", "printf 'dn: cn=x\\ngidNumber: 10001\\n\\n'");
        try (var server = new ServerSocket(0)) {
            var text = text(server.getLocalPort(), "");

            assertThat(run(text, "checked").exit()).isEqualTo(1);
            assertThat(run(text, "check").exit()).isZero();
            assertThat(run(text, "checked").exit()).isZero();
            Files.writeString(folder.resolve("sssd.conf"), Files.readString(folder.resolve("sssd.conf")) + "# more\n");
            assertThat(run(text, "checked").exit()).isEqualTo(1);
        }
    }

    /** An address that takes connections: what follows is libldap's, and its tools are stand-ins. */
    private void failsWithAServer(String golden, String keys) throws Exception {
        try (var server = new ServerSocket(0)) {
            fails(golden, server.getLocalPort(), keys);
        }
    }

    private void fails(String golden, int port, String keys) throws Exception {
        var tool = new FailingTool(folder, "site_directory", "head", text(port, keys), Map.of());
        tool.reads(golden, tool.says("check").replace("127.0.0.1:" + port, "ldap.example.org"));
    }

    /** The tool with this folder in place of the host's, and a configuration of the directory at that port. */
    private String text(int port, String keys) throws Exception {
        var rendered = files(site("uris: [\"ldap://127.0.0.1:" + port + "\"]\n  " + keys, ""), "head");
        Files.writeString(
                folder.resolve("sssd.conf"),
                rendered.get(SSSD)
                        .replace(
                                "/etc/ssl/certs/ca-certificates.crt",
                                folder.resolve("ca.crt").toString()));
        Files.writeString(folder.resolve("ca.crt"), "");
        return rendered.get("/usr/local/sbin/deepsite-directory")
                .replace("/etc/sssd/sssd.conf", folder.resolve("sssd.conf").toString())
                .replace("/var/lib/deepsite-directory", folder.resolve("state").toString());
    }

    private HostScripts.Said run(String script, String word) throws Exception {
        var out = folder.resolve("out");
        var err = folder.resolve("err");
        var builder = new ProcessBuilder(
                        "/usr/bin/python3",
                        Files.writeString(folder.resolve("tool"), script).toString(),
                        word)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
        int exit = builder.start().waitFor();
        return new HostScripts.Said(exit, Files.readString(out), Files.readString(err));
    }

    private void answers(String program, String does) throws Exception {
        Executable.write(folder.resolve(program), "#!/bin/sh\n" + does + "\n");
    }

    private static List<String> entries(Site site) {
        return files(site, "head").get("/etc/slurm/deepsite-accounts").lines().toList();
    }

    /** @param keys of the directory, beside or instead of the usual ones */
    private static Site site(String keys, String slurm) {
        var uris = keys.startsWith("uris:")
                ? ""
                : "uris: [\"ldaps://ldap-1.example.org\", \"ldaps://ldap-2.example.org:6360\"]";
        return TestSites.load("site.yaml", """
                        apiVersion: deepsite/v1
                        site: quickstart
                        provider: {lxd: {}}
                        machines:
                          head: {image: debian/12}
                          node: {count: 2, image: debian/12}
                        users:
                          alice: {uid: 2001, groups: [students]}
                        directory:
                          base: dc=example,dc=org
                          groupBase: ou=groups,dc=example,dc=org
                          allow: [physics, Chem_2]
                          minId: 10000
                          maxId: 49999
                          %s
                          %s
                        clusters:
                          hpc:
                            kind: slurm
                            controller: head
                            compute: [node]
                            %s
                        """.formatted(uris, keys, slurm), Map.of())
                .orFail();
    }

    private static Stage stage(List<Stage> stages, String name) {
        return stages.stream()
                .filter(stage -> stage.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Map<String, String> files(Site site, String host) {
        return SlurmContractsTest.files(site, MACHINES, host);
    }
}
