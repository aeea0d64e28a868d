package io.deepsite.service.catalogue;

import io.deepsite.service.access.Role;
import io.deepsite.site.ImageName;
import io.deepsite.site.Key;
import io.deepsite.site.Size;
import java.util.List;
import java.util.Locale;

/** What a site.yaml may be that members of a project write themselves. */
public record OwnSiteSettings(
        @Key(
                value = "Who may hand one in: users, managers, or administrators only.",
                defaultValue = "managers",
                choices = {"users", "managers", "administrators"})
        String by,

        @Key(
                value =
                        "File with what the administrator gives each of them: its provider, and whatever else users are not to choose, such as ssh, lease, mirrors, proxy. Relative to service.yaml.",
                example = "own-sites.yaml",
                pattern = "[^\\p{Cntrl}]+")
        String base,

        @Key(value = "Images that its machines may have.", example = "[debian/12]", required = true)
        List<ImageName> images,

        @Key(value = "Largest disk that a machine may ask for.", defaultValue = "20GiB", example = "100GiB")
        Size disk) {

    public OwnSiteSettings {
        images = List.copyOf(images);
    }

    /** The least role. */
    public Role role() {
        return Role.valueOf(by.substring(0, by.length() - 1).toUpperCase(Locale.ROOT));
    }
}
