package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.User;
import io.deepsite.site.UsersFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Adds the users of the file that {@code usersFrom} names to those of site.yaml; the checks see them as one. */
final class UsersFrom {
    private static final String KEY = "usersFrom";
    private static final String USERS = "users";

    private final Places places;
    private final Findings findings;

    UsersFrom(Places places, Findings findings) {
        this.places = places;
        this.findings = findings;
    }

    /**
     * The file that a site names, whether or not it exists.
     *
     * @param site the site.yaml
     */
    static Path file(Path site, String named) {
        var folder = site.getParent();
        return folder == null ? Path.of(named) : folder.resolve(named);
    }

    /** @param from the site.yaml */
    Site merged(Site site, Path from) {
        if (site.usersFrom().isEmpty() || findings.isUnsound(KEY)) {
            return site;
        }
        var file = file(from, site.usersFrom().get());
        if (!Files.exists(file)) {
            findings.fault(
                    Code.USERS_FILE_MISSING,
                    places.of(KEY),
                    "There is no file " + file + ". Without it the site would lock everybody who was imported.",
                    "Restore it; or begin with an empty one, then import users:",
                    "echo 'users: {}' > " + file);
            return site;
        }
        return site.withUsers(all(site.users(), read(file), file));
    }

    private Map<Name, User> all(Map<Name, User> own, Map<Name, User> more, Path file) {
        var all = new LinkedHashMap<>(own);
        more.forEach((name, user) -> {
            if (all.putIfAbsent(name, user) != null) {
                findings.fault(
                        Code.USER_TWICE,
                        places.ofKey(USERS + "." + name),
                        name + " is in " + file + ", too.",
                        "Remove the user from one of the two files.");
            }
        });
        return all;
    }

    private Map<Name, User> read(Path file) {
        var text = new YamlReader(findings).text(file);
        var source = new SourceText(file.toString(), text.orElse(""));
        var there = new Places(source);
        var root = text.isEmpty() ? null : new YamlReader(findings).root(source);
        var bound = root == null
                ? null
                : new Binder(source, there, findings, "a file of users", Keys.Homes.NONE, Confinement.NONE)
                        .document(
                                SiteModel.document(UsersFile.class),
                                root,
                                Map.of(),
                                "users: {}",
                                "`deepsite users import` writes such a file.");
        if (!(bound instanceof UsersFile(var users))) {
            return Map.of();
        }
        users.keySet().forEach(name -> places.include(USERS + "." + name, there));
        return users;
    }
}
