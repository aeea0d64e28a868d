package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.remote.FakeSshServer;
import io.deepsite.state.FileStateStore;
import io.deepsite.state.SiteState;
import io.deepsite.state.StateFolder;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;

/** Plans that may not run, consents, leases, command lines. */
final class PlanFaults {
    private PlanFaults() {}

    static List<FaultCase> cases() {
        return List.of(
                new FaultCase("plan/DS4001-stale-plan", story -> {
                    story.does("plan", "site.yaml", "-o", "plan.json")
                            .does("apply", "site.yaml", "--yes")
                            .fails(2, "apply", "site.yaml", "--plan", "plan.json")
                            .goesOn();
                }),
                new FaultCase("plan/DS4002-plan-of-another-version", story -> {
                    story.does("plan", "site.yaml", "-o", "plan.json")
                            .then(
                                    "deepsite is replaced by another version",
                                    () -> story.edit("plan.json", Version.CURRENT, "9.9"))
                            .fails(2, "apply", "site.yaml", "--plan", "plan.json")
                            .does("plan", "site.yaml", "-o", "plan.json")
                            .goesOn("apply", "site.yaml", "--plan", "plan.json");
                }),
                new FaultCase("plan/DS4003-plan-damaged", story -> {
                    story.does("plan", "site.yaml", "-o", "plan.json");
                    var text = story.read("plan.json");
                    story.then(
                                    "half of the plan is lost",
                                    () -> story.write("plan.json", text.substring(0, text.indexOf("\"site\"") + 8)))
                            .fails(2, "apply", "site.yaml", "--plan", "plan.json")
                            .does("plan", "site.yaml", "-o", "plan.json")
                            .goesOn("apply", "site.yaml", "--plan", "plan.json");
                }),
                new FaultCase("plan/DS4003-no-such-plan", story -> {
                    story.fails(2, "apply", "site.yaml", "--plan", "plan.json");
                }),
                new FaultCase("plan/DS4003-not-a-plan", story -> {
                    story.fails(2, "apply", "site.yaml", "--plan", "site.yaml")
                            .fails(2, "plan", "site.yaml", "-o", "site.yaml")
                            .goesOn();
                }),
                new FaultCase("plan/DS4004-changed-since", story -> {
                    story.does("apply", "site.yaml", "--yes")
                            .edit("site.yaml", "memory: 1GiB", "memory: 2GiB")
                            .does("plan", "site.yaml", "-o", "plan.json")
                            .then(
                                    "a user gives the machine another CPU",
                                    () -> ((tools.jackson.databind.node.ObjectNode) story.lxd
                                                    .things
                                                    .get("instances/lab-box")
                                                    .path("config"))
                                            .put("limits.cpu", "2"))
                            .fails(2, "apply", "site.yaml", "--plan", "plan.json")
                            .does("plan", "site.yaml", "-o", "plan.json")
                            .goesOn("apply", "site.yaml", "--plan", "plan.json");
                }),
                new FaultCase("plan/DS4005-consent-needed", story -> {
                    story.does("apply", "site.yaml", "--yes");
                    story.lxd.add(
                            "images/beef",
                            "{'fingerprint':'beef','size':1,'properties':{},'aliases':[{'name':'debian/13'}]}");
                    story.edit("site.yaml", "debian/12", "debian/13")
                            .fails(2, "apply", "site.yaml")
                            .fails(2, "apply", "site.yaml", "--yes")
                            .goesOn("apply", "site.yaml", "--yes", "--allow", "replace");
                }),
                new FaultCase("plan/DS4005-finished-once", story -> {
                    story.does("apply", "site.yaml", "--yes")
                            .then(
                                    "a user removes the machine's mark",
                                    () -> ((tools.jackson.databind.node.ObjectNode) story.lxd
                                                    .things
                                                    .get("instances/lab-box")
                                                    .path("config"))
                                            .remove("user.deepsite.ready"))
                            .does("plan", "site.yaml")
                            .fails(2, "apply", "site.yaml", "--yes")
                            .goesOn("apply", "site.yaml", "--yes", "--allow", "replace");
                }),
                new FaultCase("plan/DS4005-saved-plan-needs-consent", story -> {
                    story.does("apply", "site.yaml", "--yes");
                    story.lxd.add(
                            "images/beef",
                            "{'fingerprint':'beef','size':1,'properties':{},'aliases':[{'name':'debian/13'}]}");
                    story.edit("site.yaml", "debian/12", "debian/13")
                            .does("plan", "site.yaml", "-o", "plan.json")
                            .fails(2, "apply", "site.yaml", "--plan", "plan.json")
                            .goesOn("apply", "site.yaml", "--plan", "plan.json", "--allow", "replace");
                }),
                new FaultCase("plan/DS4005-uid-of-a-former-user", story -> {
                    story.site(HostFaults.USER)
                            .does("apply", "site.yaml", "--yes")
                            .then("the user leaves the site, and the account is locked", () -> {
                                story.site("");
                                holding(story, "deepsite-fault:x:2999:2999::/nowhere:/bin/sh");
                            })
                            .does("apply", "site.yaml", "--yes")
                            .then(
                                    "site.yaml gives another user the uid",
                                    () -> story.site(HostFaults.USER.replace("deepsite-fault", "deepsite-heir")))
                            .fails(2, "apply", "site.yaml", "--yes")
                            .does("apply", "site.yaml", "--yes", "--allow", "wipe");
                }),
                new FaultCase("plan/DS4005-uid-of-a-user-who-is-renamed", story -> {
                    story.site(HostFaults.USER)
                            .does("apply", "site.yaml", "--yes")
                            .then("the user gets another name", () -> {
                                story.site(HostFaults.USER.replace("deepsite-fault", "deepsite-heir"));
                                holding(story, "deepsite-fault:x:2999:2999::/nowhere:/bin/sh");
                            })
                            .fails(2, "apply", "site.yaml", "--yes");
                }),
                new FaultCase("state/DS4006-state-lost", story -> {
                    story.does("apply", "site.yaml", "--yes")
                            .then("the state folder is deleted", () -> deleteTree(story.folder.resolve(".deepsite")))
                            .fails(2, "apply", "site.yaml", "--yes")
                            .does("adopt", "site.yaml")
                            .then("the machine takes its new keys", () -> story.lxd.speak("lab-box", null, null))
                            .goesOn();
                }),
                new FaultCase("plan/DS4019-another-project", story -> {
                    story.does("apply", "site.yaml", "--yes");
                    story.lxd.add("projects/other", "{'name':'other','config':{}}");
                    story.edit("site.yaml", "pool: {name: nova}", "project: other, pool: {name: nova}")
                            .fails(2, "apply", "site.yaml", "--yes")
                            .fails(2, "destroy", "site.yaml", "--yes")
                            .fails(2, "plan", "site.yaml")
                            .fails(2, "drift", "site.yaml")
                            .fails(2, "gc", "site.yaml", "--yes")
                            .fails(2, "status", "site.yaml")
                            .fails(2, "adopt", "site.yaml")
                            .edit("site.yaml", "project: other, ", "")
                            .fails(2, "state", "rm", "--all", "--site", "site.yaml")
                            .goesOn()
                            .does("destroy", "site.yaml", "--yes")
                            .edit("site.yaml", "pool: {name: nova}", "project: other, pool: {name: nova}")
                            .goesOn();
                }),
                new FaultCase("plan/DS4019-another-server", story -> {
                    story.does("apply", "site.yaml", "--yes")
                            .then("LXD gets a new certificate", () -> story.lxd.certificate("beef"))
                            .fails(2, "apply", "site.yaml", "--yes")
                            .does("adopt", "site.yaml")
                            .goesOn()
                            .then("another LXD replaces the first one", () -> {
                                story.lxd.things.keySet().removeAll(story.lxd.ours());
                                story.lxd.certificate("f00d");
                            })
                            .fails(2, "apply", "site.yaml", "--yes")
                            .does("state", "rm", "--all", "--site", "site.yaml")
                            .goesOn();
                }),
                new FaultCase("state/DS4021-copied", story -> {
                    story.does("apply", "site.yaml", "--yes")
                            .then("a user copies the machine in LXD: lxc copy lab-box a-copy", () -> copyBox(story))
                            .fails(2, "plan", "site.yaml")
                            .fails(2, "apply", "site.yaml", "--yes")
                            .fails(2, "destroy", "site.yaml", "--yes")
                            .fails(2, "drift", "site.yaml")
                            .does("status", "site.yaml")
                            .does("gc", "site.yaml", "--list")
                            .does("gc", "site.yaml", "--yes")
                            .goesOn();
                }),
                new FaultCase("plan/DS4022-uid-changed", story -> {
                    story.site(HostFaults.USER)
                            .does("apply", "site.yaml", "--yes")
                            .then("site.yaml gives the user another uid", () -> {
                                story.edit("site.yaml", "uid: 2999", "uid: 2998");
                                holding(story, "deepsite-fault:x:2999:2999::/nowhere:/bin/sh");
                            })
                            .fails(2, "plan", "site.yaml")
                            .fails(2, "apply", "site.yaml", "--yes")
                            .then(
                                    "site.yaml has the old uid again",
                                    () -> story.edit("site.yaml", "uid: 2998", "uid: 2999"))
                            .does("plan", "site.yaml");
                }),
                new FaultCase("state/gc-spares-what-was-recorded-meanwhile", story -> {
                    story.answering("y");
                    story.does("apply", "site.yaml", "--yes");
                    var whole = story.read(".deepsite/lab/state.json");
                    story.then("an apply has made box, and records it while gc asks", () -> {
                        recordNothing(story, whole);
                        story.onWord("Delete it?", () -> story.write(".deepsite/lab/state.json", whole));
                    });
                    story.does("gc", "site.yaml");
                    assertThat(story.lxd.things)
                            .as("what was recorded meanwhile")
                            .containsKey("instances/lab-box");
                    story.goesOn();
                }),
                new FaultCase("state/adopted-over-an-empty-state", story -> {
                    story.does("apply", "site.yaml", "--yes")
                            .then(
                                    "the state of another clone, which has nothing, takes the place of this one's",
                                    () -> {
                                        deleteTree(story.folder.resolve(".deepsite"));
                                        new FileStateStore(new StateFolder(story.state))
                                                .write(SiteState.fresh("lab", "1.0"));
                                    })
                            .does("adopt", "site.yaml")
                            .then("the machine takes its new keys", () -> story.lxd.speak("lab-box", null, null))
                            .goesOn();
                }),
                new FaultCase("state/destroyed-and-made-by-another-clone", story -> {
                    story.edit("site.yaml", "pool: {name: nova}", "pool: {name: own, driver: btrfs, size: 20GiB}")
                            .does("apply", "site.yaml", "--yes")
                            .then(
                                    "another user's instance uses the pool, too",
                                    () -> story.lxd
                                            .things
                                            .get("storage-pools/own")
                                            .putArray("used_by")
                                            .add("/1.0/instances/somebody"))
                            .does("destroy", "site.yaml", "--yes")
                            .then("another clone applies the site", () -> deleteTree(story.folder.resolve(".deepsite")))
                            .goesOn();
                }),
                new FaultCase("state/DS4021-copied-and-state-lost", story -> {
                    story.does("apply", "site.yaml", "--yes")
                            .then("a user copies the machine in LXD, and the state folder is deleted", () -> {
                                copyBox(story);
                                deleteTree(story.folder.resolve(".deepsite"));
                            })
                            .fails(2, "adopt", "site.yaml")
                            .then("the copy is deleted by hand", () -> story.lxd.things.remove("instances/a-copy"))
                            .does("adopt", "site.yaml")
                            .then("the machine takes its new keys", () -> story.lxd.speak("lab-box", null, null))
                            .goesOn();
                }),
                new FaultCase("state/DS4013-nothing-to-adopt", story -> {
                    story.fails(2, "adopt", "site.yaml").goesOn();
                }),
                new FaultCase("plan/DS4007-nobody-to-ask", story -> {
                    story.fails(2, "apply", "site.yaml").goesOn();
                }),
                new FaultCase("plan/DS4008-plan-edited", story -> {
                    story.does("apply", "site.yaml", "--yes");
                    story.lxd.add(
                            "images/beef",
                            "{'fingerprint':'beef','size':1,'properties':{},'aliases':[{'name':'debian/13'}]}");
                    story.edit("site.yaml", "debian/12", "debian/13")
                            .does("plan", "site.yaml", "-o", "plan.json")
                            .then(
                                    "a user removes the consents from the plan",
                                    () -> story.edit("plan.json", "\"REPLACE\" ]", "]"))
                            .fails(2, "apply", "site.yaml", "--plan", "plan.json")
                            .does("plan", "site.yaml", "-o", "plan.json")
                            .goesOn("apply", "site.yaml", "--plan", "plan.json", "--allow", "replace");
                }),
                new FaultCase("plan/cancelled-by-a-no", story -> {
                    story.answering("n");
                    story.fails(130, "apply", "site.yaml").goesOn();
                }),
                new FaultCase("plan/DS4011-no-such-stage", story -> {
                    story.fails(2, "apply", "site.yaml", "--yes", "--until", "nosuch")
                            .goesOn();
                }),
                new FaultCase("plan/DS4011-no-such-host", story -> {
                    story.does("apply", "site.yaml", "--yes").fails(2, "ssh", "bax", "--site", "site.yaml");
                }),
                new FaultCase("plan/DS4011-nothing-applied", story -> {
                    story.siteOf(HostFaults.SLURM);
                    story.fails(2, "verify", "site.yaml")
                            .fails(2, "run", "--site", "site.yaml", "hpc", "--", "hostname")
                            .fails(2, "ssh", "--site", "site.yaml", "head")
                            .prints("No drift: nothing has been applied yet.\n", "drift", "site.yaml");
                }),
                new FaultCase("plan/DS4012-changes-wait", story -> {
                    story.siteOf(HostFaults.SLURM);
                    story.lxd.behaving((command, in, out, err) -> HostFaults.accept("passed", command, in, out, err));
                    story.does("apply", "site.yaml", "--yes", "--quiet")
                            .edit("site.yaml", "cpus: 1, memory: 2GiB", "cpus: 1, memory: 3GiB")
                            .fails(0, "verify", "site.yaml")
                            .fails3("plan", "site.yaml", "--detailed-exitcode");
                }),
                new FaultCase("lease/DS7001-no-lease", story -> {
                    story.does("apply", "site.yaml", "--yes").fails(2, "lease", "extend", "2h", "--site", "site.yaml");
                }),
                new FaultCase("lease/DS7002-lease-too-long", story -> {
                    leased(story).fails(2, "lease", "extend", "90d", "--site", "site.yaml");
                }),
                new FaultCase("lease/DS7003-lease-over", story -> {
                    leased(story).then("the lease runs out", () -> story.later(Duration.ofDays(2)));
                    story.edit("site.yaml", "memory: 1GiB", "memory: 2GiB")
                            .fails(2, "apply", "site.yaml", "--yes")
                            .does("destroy", "site.yaml", "--yes")
                            .then("site.yaml goes without a lease", () -> story.site(""))
                            .goesOn();
                }),
                new FaultCase("command-line/DS8001-no-such-option", story -> {
                    story.fails(2, "apply", "site.yaml", "--yse");
                }),
                new FaultCase("command-line/DS8001-no-such-consent", story -> {
                    story.fails(2, "apply", "site.yaml", "--allow", "rebot");
                }),
                new FaultCase("command-line/DS8001-forward-without-a-port", story -> {
                    story.fails(2, "ssh", "head", "-L", "8443:10.0.0.5");
                }),
                new FaultCase("command-line/DS8001-no-time", story -> {
                    story.fails(2, "lease", "extend", "2", "--site", "site.yaml");
                }),
                new FaultCase("command-line/DS8002-plan-not-written", story -> {
                    story.fails(2, "plan", "site.yaml", "-o", "nowhere/plan.json")
                            .goesOn();
                }),
                new FaultCase("command-line/DS8002-bundle-into-a-full-folder", story -> {
                    Files.createDirectories(story.folder.resolve("out/full"));
                    story.write("out/full/notes", "mine\n").fails(2, "render", "site.yaml", "-o", "out/full");
                }));
    }

    /** Gives the story's machines this account; this machine, which plays them, does not have it. */
    private static void holding(FaultStory story, String account) {
        var name = account.substring(0, account.indexOf(':'));
        var table = story.write("passwd", account + "\n").folder.resolve("passwd");
        var asRoot = "id() { if [ \"$*\" = -u ]; then echo 0; else command id \"$@\"; fi; }\n"
                + "getent() { if [ \"$*\" = 'passwd " + name + "' ]; then cat " + table
                + "; else command getent \"$@\"; fi; }\n";
        story.lxd.behaving((command, in, out, err) -> {
            var script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            var told = script.isEmpty() ? script : asRoot + script.replace("/etc/passwd", table.toString());
            return FakeSshServer.shell(
                    command, new ByteArrayInputStream(told.getBytes(StandardCharsets.UTF_8)), out, err);
        });
    }

    /** The state after an apply with a lease of 4 h, at most 8 h. */
    private static FaultStory leased(FaultStory story) throws Exception {
        return story.does("apply", "site.yaml", "--yes").then("the site has a lease of 4 h", () -> {
            story.edit(".deepsite/lab/state.json", "\"lineage\"", """
                "lease" : {
                    "ends" : "2026-01-02T07:04:05Z",
                    "latest" : "2026-01-02T11:04:05Z",
                    "since" : "2026-01-02T03:04:05Z"
                  },
                  "lineage\"\
                """);
            story.site("lease: {duration: 4h, max: 8h}\n");
        });
    }

    private static void copyBox(FaultStory story) {
        story.lxd.things.put(
                "instances/a-copy",
                story.lxd
                        .things
                        .get("instances/lab-box")
                        .deepCopy()
                        .put("name", "a-copy")
                        .put("status", "Stopped"));
    }

    /** The state before the run that made everything. */
    private static void recordNothing(FaultStory story, String whole) {
        var state = (tools.jackson.databind.node.ObjectNode)
                tools.jackson.databind.json.JsonMapper.shared().readTree(whole);
        state.putObject("resources");
        state.putObject("hosts");
        story.write(".deepsite/lab/state.json", state.toString());
    }

    static void deleteTree(Path folder) throws java.io.IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws java.io.IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(
                    Path visited, java.io.@org.jspecify.annotations.Nullable IOException fault)
                    throws java.io.IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
