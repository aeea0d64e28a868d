package io.deepsite.cli;

import java.nio.file.Files;
import java.util.List;

/** Faults of imported users. */
final class UserFaults {
    private static final String PEOPLE = "login,id\nalice,1\nbob,2\ncarol,3\n";

    private UserFaults() {}

    static List<FaultCase> cases() {
        return List.of(
                new FaultCase(
                        "users/DS1312-no-file-named",
                        story -> site(story)
                                .edit("site.yaml", "usersFrom: users.yaml\n", "")
                                .write("out/people.csv", PEOPLE)
                                .fails(2, "users", "import", "--from", "out/people.csv", "--site", "site.yaml")),
                new FaultCase(
                        "users/DS1313-not-a-column",
                        story -> site(story)
                                .write("out/people.csv", "login,password\nalice,secret\n")
                                .fails(2, "users", "import", "--from", "out/people.csv", "--site", "site.yaml")),
                new FaultCase(
                        "users/DS1314-nobody",
                        story -> site(story)
                                .write("out/people.csv", "login,active\nalice,no\n")
                                .fails(1, "users", "import", "--from", "out/people.csv", "--site", "site.yaml")),
                new FaultCase(
                        "users/DS1315-many-left",
                        story -> site(story)
                                .does("users", "import", "--from", "out/people.csv", "--site", "site.yaml")
                                .write("out/people.csv", "login,id\nalice,1\n")
                                .fails(2, "users", "import", "--from", "out/people.csv", "--site", "site.yaml")
                                .does(
                                        "users",
                                        "import",
                                        "--from",
                                        "out/people.csv",
                                        "--site",
                                        "site.yaml",
                                        "--lock-many")),
                new FaultCase(
                        "users/DS1390-uid-of-somebody-who-left",
                        story -> site(story)
                                .does("users", "import", "--from", "out/people.csv", "--site", "site.yaml")
                                .write("users.yaml", "users: {}\n")
                                .edit("site.yaml", "usersFrom: users.yaml\n", "users: {dora: {uid: 2002}}\n")
                                .fails(2, "plan", "site.yaml")
                                .fails(2, "validate", "site.yaml")),
                new FaultCase(
                        "users/DS1316-certificate-of-a-locked-user",
                        story -> CertificateFaults.site(story)
                                .edit("site.yaml", "{uid: 2999}", "{uid: 2999, locked: true}")
                                .fails(
                                        2,
                                        "certificate",
                                        "deepsite-fault",
                                        "--key",
                                        "out/key.pub",
                                        "--site",
                                        "site.yaml")));
    }

    /** With an empty file of users, and people to import. */
    static FaultStory site(FaultStory story) throws Exception {
        Files.createDirectories(story.folder.resolve("out"));
        return story.site("usersFrom: users.yaml\n")
                .write("users.yaml", "users: {}\n")
                .write("out/people.csv", PEOPLE);
    }
}
