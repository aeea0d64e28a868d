package io.deepsite.service.catalogue;

import io.deepsite.site.Key;
import io.deepsite.site.Name;
import java.util.List;
import java.util.Optional;

/** What {@code template.yaml} says of a template, for those who may order it. */
public record TemplateText(
        @Key(value = "Its name in the catalogue.", example = "Slurm cluster", pattern = "[^\\p{Cntrl}]{1,80}")
        String title,

        @Key(
                value = "What it is for, in plain text.",
                example = "A batch system with a shared home folder.",
                pattern = "[^\\p{Cntrl}]{1,1000}")
        String description,

        @Key(value = "Projects whose members may order it. Without it all may.", example = "[biology]")
        List<Name> projects,

        @Key(
                value =
                        "Whether who orders a site gets an account on it. Its site.yaml then has no users; with ssh.certificates the account logs in by SSH certificate.",
                defaultValue = "false",
                example = "true")
        boolean account,

        @Key(
                value =
                        "Secrets of its sites that who ordered one may see, once: names of `deepsite secrets list`, with ACCOUNT for the account and _ for its dashes.",
                example = "[opennebula_cloud_user_ACCOUNT_password]",
                pattern = "[a-zA-Z0-9_]+")
        List<String> secrets,

        @Key(
                value = "A picture beside template.yaml.",
                example = "picture.svg",
                pattern = "[A-Za-z0-9][A-Za-z0-9._-]*\\.(svg|png)")
        Optional<String> picture) {
    private static final String ACCOUNT = "ACCOUNT";

    public TemplateText {
        projects = List.copyOf(projects);
        secrets = List.copyOf(secrets);
    }

    /**
     * Names of the secrets that the owner of a site may see.
     *
     * @param account of the owner; empty: the site has none, and so no secret of it
     */
    public List<String> secrets(Optional<String> account) {
        return secrets.stream()
                .filter(name -> account.isPresent() || !name.contains(ACCOUNT))
                .map(name -> name.replace(ACCOUNT, account.orElse("").replace('-', '_')))
                .toList();
    }
}
