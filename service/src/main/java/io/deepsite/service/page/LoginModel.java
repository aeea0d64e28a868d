package io.deepsite.service.page;

import io.deepsite.service.sites.SiteLogin;
import io.deepsite.service.sites.SiteRow;
import io.deepsite.site.Name;
import io.deepsite.text.Elapsed;
import java.util.List;

/**
 * What lets people into a site, beside SSH.
 *
 * @param kubeconfigs clusters that have one
 */
public record LoginModel(List<String> kubeconfigs, List<Line> secrets) {

    /**
     * @param shown when its owner saw it; empty: not yet
     * @param showable to who looks at the page
     * @param again whether who looks at the page may let it be shown once more
     */
    public record Line(String name, String shown, boolean showable, boolean again) {}

    static LoginModel of(SiteLogin login, SiteRow site, boolean own, boolean managed) {
        return new LoginModel(
                own ? login.kubeconfigs(site).stream().map(Name::value).toList() : List.of(),
                login.secrets(site).stream()
                        .map(one -> new Line(
                                one.name(),
                                one.shownAt().map(Elapsed::utc).orElse(""),
                                own && one.shownAt().isEmpty(),
                                managed && one.shownAt().isPresent()))
                        .toList());
    }
}
