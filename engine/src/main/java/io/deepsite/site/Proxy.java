package io.deepsite.site;

import io.deepsite.diag.Code;
import java.util.List;
import java.util.Optional;

/** How machines fetch what is not near. Set for apt and for the environment of people and their jobs. */
public record Proxy(
        @Key(value = "Proxy for http addresses.", example = "http://proxy.example:3128", impact = ChangeImpact.FILE)
        Optional<WebAddress> http,

        @Key(value = "Proxy for https addresses.", example = "http://proxy.example:3128", impact = ChangeImpact.FILE)
        Optional<WebAddress> https,

        @Key(
                value =
                        "Names, domains (.example) and networks that are reached without it, besides the machine itself.",
                example = "[.cluster.example, 10.0.0.0/8]",
                pattern = "[A-Za-z0-9.:*_/-]{1,255}",
                requires =
                        @OtherKeys(
                                value = {"http", "https"},
                                why = "No proxy is configured.",
                                code = Code.NO_EFFECT),
                impact = ChangeImpact.FILE)
        List<String> noProxy) {
    public static final Proxy NONE = new Proxy(Optional.empty(), Optional.empty(), List.of());

    public Proxy {
        noProxy = List.copyOf(noProxy);
    }

    public boolean isSet() {
        return http.isPresent() || https.isPresent();
    }
}
