package io.deepsite.service.login;

import io.deepsite.cluster.OpenId;
import io.deepsite.site.Key;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The identity provider that people and programs log in by, with OpenID Connect. */
public record LoginSettings(
        @Key(
                value = "The provider's URL, with or without a slash at its end; https, but on this machine.",
                example = "https://iam.example.org/realms/lab",
                pattern = "https://" + PLACE + "|http://(127\\.0\\.0\\.1|localhost|\\[::1])(:[0-9]+)?(/" + PATH + ")?")
        String issuer,

        @Key(
                value = "The client that the provider knows the service by. Its return address there is /login/callback"
                        + " of this service.",
                example = "deepsite",
                pattern = "[!-~]+")
        String clientId,

        @Key("The client's secret, where the provider gave it one.")
        Optional<SecretReference> clientSecret,

        @Key(
                value = "What a login asks for beside openid. By default what the claims need: profile, email,"
                        + " wlcg.groups, eduperson_entitlement, entitlements.",
                example = "[profile, email, wlcg.groups]",
                pattern = OpenId.SCOPE)
        List<String> scopes,

        @Key(
                value = "The claim that holds groups or entitlements, one or a list. One inside of others is a path,"
                        + " /realm_access/roles.",
                defaultValue = "groups",
                example = "eduperson_entitlement",
                pattern = OpenId.CLAIM)
        String groupsClaim,

        @Key(
                value = "The claim that holds the name that pages show. Without it they show preferred_username, the"
                        + " address for mail, or what the provider tells people apart by.",
                defaultValue = "name",
                pattern = OpenId.CLAIM)
        String nameClaim,

        @Key(
                value = "Whom a token of a program has to be made for (aud). By default clientId.",
                example = "https://clusters.example.org",
                pattern = "[!-~]+")
        Optional<String> audience,

        @Key(
                value = "Certificate of the provider's authority, a file on this machine (a full path), if it is not a"
                        + " public one.",
                example = "/etc/ssl/lab-ca.crt",
                pattern = "/.+")
        Optional<String> caFile,

        @Key(
                value =
                        "The client without a secret that the provider knows the command line by (deepsite login). Tokens"
                                + " that are made for it are accepted, too.",
                example = "deepsite-cli",
                pattern = "[!-~]+")
        Optional<String> publicClientId,

        @Key(
                value =
                        "Whether addresses count for mail although the provider does not say that it verified them (email_verified).",
                defaultValue = "false",
                example = "true")
        boolean trustedAddresses) {
    static final String PATH = "[A-Za-z0-9._~:/%-]*";
    static final String PLACE = "[A-Za-z0-9\\[]" + "[A-Za-z0-9._~:/%\\[\\]-]*";

    public LoginSettings {
        scopes = List.copyOf(scopes);
    }

    /** Of a login, openid first. */
    List<String> allScopes() {
        return OpenId.scopes(scopes, List.of(groupsClaim, nameClaim, "email"));
    }

    /** Of tokens that programs get by themselves. */
    String tokenAudience() {
        return audience.orElse(clientId);
    }

    /** Whom a token of a program may be made for: one of them. */
    Set<String> tokenAudiences() {
        var all = new TreeSet<String>();
        all.add(tokenAudience());
        publicClientId.ifPresent(all::add);
        return all;
    }
}
