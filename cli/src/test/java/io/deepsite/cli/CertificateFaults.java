package io.deepsite.cli;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** A certificate that nobody may have, or that no host would accept. */
final class CertificateFaults {
    static final String KEY =
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINpLe3FlKPn3sbHzgV0ZmpvF9LZmxzlFYS4MMe1x5rV3 theirs\n";

    private CertificateFaults() {}

    static List<FaultCase> cases() {
        return List.of(
                new FaultCase("hosts/DS3020-no-certificates", story -> {
                    site(story).edit("site.yaml", "certificates: {validity: 2h}, ", "");
                    story.does("apply", "site.yaml", "--yes", "--quiet");
                    sign(story, 2, "deepsite-fault");
                    story.then(
                                    "site.yaml has certificates",
                                    () -> story.edit("site.yaml", "ssh: {", "ssh: {certificates: {validity: 2h}, "))
                            .does("apply", "site.yaml", "--yes");
                    sign(story, 0, "deepsite-fault");
                }),
                new FaultCase("hosts/DS3021-no-such-user", story -> {
                    site(story).does("apply", "site.yaml", "--yes", "--quiet");
                    sign(story, 2, "root");
                    sign(story, 2, "Alice");
                }),
                new FaultCase("hosts/DS3022-not-applied", story -> {
                    site(story);
                    sign(story, 2, "deepsite-fault");
                    story.does("apply", "site.yaml", "--yes", "--quiet");
                    sign(story, 0, "deepsite-fault");
                    story.edit("site.yaml", "users:\n", "users:\n  deepsite-heir: {uid: 2998}\n");
                    sign(story, 2, "deepsite-heir");
                }),
                new FaultCase("hosts/DS3022-authority-rotated", story -> {
                    site(story).does("apply", "site.yaml", "--yes", "--quiet");
                    story.does("secrets", "rotate", "user_ca_ssh_key", "--site", "site.yaml");
                    sign(story, 2, "deepsite-fault");
                    story.does("apply", "site.yaml", "--yes", "--quiet");
                    sign(story, 0, "deepsite-fault");
                }),
                new FaultCase("hosts/DS3023-certificate-too-long", story -> {
                    site(story).does("apply", "site.yaml", "--yes", "--quiet");
                    sign(story, 2, "deepsite-fault", "--for", "9h");
                }));
    }

    /** With a user, certificates, and the user's public key in out/key.pub. */
    static FaultStory site(FaultStory story) throws Exception {
        Files.createDirectories(story.folder.resolve("out"));
        return story.write("out/key.pub", KEY)
                .site("users:\n  deepsite-fault: {uid: 2999}\n")
                .edit("site.yaml", "ssh: {", "ssh: {certificates: {validity: 2h}, ");
    }

    private static void sign(FaultStory story, int exit, String user, String... more) {
        var words = new ArrayList<>(List.of("certificate", user, "--key", "out/key.pub", "--site", "site.yaml"));
        words.addAll(List.of(more));
        if (exit == 0) {
            story.does(words.toArray(String[]::new));
        } else {
            story.fails(exit, words.toArray(String[]::new));
        }
    }
}
