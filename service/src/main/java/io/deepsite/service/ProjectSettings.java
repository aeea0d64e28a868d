package io.deepsite.service;

import io.deepsite.service.access.MemberSettings;
import io.deepsite.service.catalogue.OwnSiteSettings;
import io.deepsite.service.sites.Quota;
import io.deepsite.site.Key;
import java.util.Optional;

/** A project of those who order sites. */
public record ProjectSettings(
        @Key("Who belongs to it.") MemberSettings members,

        @Key("What its sites may take together; without a limit here there is none.")
        Quota quota,

        @Key("A site.yaml that members write themselves. Without it nobody hands one in.")
        Optional<OwnSiteSettings> ownSites) {}
