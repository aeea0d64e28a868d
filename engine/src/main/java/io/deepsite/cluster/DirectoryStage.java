package io.deepsite.cluster;

import io.deepsite.provider.Machine;
import io.deepsite.site.Directory;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/** The stage by which machines know the users of a directory. */
final class DirectoryStage {
    static final String NAME = "site.directory";

    private static final String ROLE = "site_directory";

    private DirectoryStage() {}

    /** @param needs the stages of names, homes and the site's own users: a first login makes a folder in a home */
    static Stage of(Site site, Directory directory, List<Machine> machines, List<String> needs) {
        var common = variables(directory);
        return new Stage(
                NAME,
                ROLE,
                ClusterStages.variables(machines, machine -> {
                    var variables = new HashMap<>(common);
                    variables.put("site_directory_local", local(site, machine));
                    return variables;
                }),
                0,
                needs,
                false);
    }

    private static Map<String, Object> variables(Directory directory) {
        var variables = new HashMap<String, Object>();
        variables.put("site_directory_uris", directory.uris());
        variables.put("site_directory_start_tls", directory.startsTls());
        variables.put("site_directory_base", directory.base());
        variables.put("site_directory_user_base", directory.userBase().orElse(directory.base()));
        variables.put("site_directory_group_base", directory.groupBase().orElse(directory.base()));
        variables.put("site_directory_schema", directory.schema());
        variables.put(
                "site_directory_ca", directory.caFile().map(LocalFile::read).orElse(""));
        variables.put("site_directory_bind", directory.bind().orElse(""));
        variables.put("site_directory_allow", directory.allow());
        variables.put("site_directory_min_id", directory.minId());
        variables.put("site_directory_max_id", directory.maxId());
        variables.put("site_directory_own_keys", directory.ownKeys());
        return variables;
    }

    /** Names that are the machine's own, whatever the directory has. */
    private static List<String> local(Site site, Machine machine) {
        var names = new LinkedHashSet<>(List.of("root", SiteStages.VERIFY_USER));
        names.add(machine.user());
        site.users().forEach((name, user) -> {
            names.add(name.value());
            user.groups().stream().map(Name::value).forEach(names::add);
        });
        return List.copyOf(names);
    }
}
