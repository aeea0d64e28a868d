package io.deepsite.cluster.mesos;

import io.deepsite.cluster.OpenId;
import io.deepsite.diag.Code;
import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Key;
import io.deepsite.site.OneOf;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Who gets into a Mesos cluster by an OpenID Connect provider, and where. */
@OneOf(
        value = {"users", "groups"},
        several = true,
        why = "Without them whoever has an account at the provider would be the cluster's administrator.",
        none = Code.WHO_UNCLEAR)
public record MesosOidc(
        @Key(
                value =
                        "Where users reach it: https, a host and perhaps a port. The provider has to send logins back to"
                                + " it, at /oidc/callback.",
                example = "https://mesos.example.org",
                pattern = "https://[A-Za-z0-9][A-Za-z0-9.-]*(:" + PORT + ")?",
                impact = ChangeImpact.RESTART)
        String url,

        @Key(
                value =
                        "The provider's URL, as its tokens have it (iss), with the slash at its end if it has one; https.",
                example = "https://iam.example.org/realms/lab",
                pattern = ADDRESS,
                impact = ChangeImpact.RESTART)
        String issuer,

        @Key(
                value =
                        "Where the provider publishes its keys: jwks_uri in the issuer's .well-known/openid-configuration.",
                example = "https://iam.example.org/realms/lab/protocol/openid-connect/certs",
                pattern = ADDRESS,
                impact = ChangeImpact.RESTART)
        String jwks,

        @Key(
                value = "The client that tokens are made for (aud). Its secret is the site's secret"
                        + " mesos_<cluster>_oidc_client_secret (deepsite secrets set).",
                example = "mesos",
                pattern = "[A-Za-z0-9._:/-]+",
                impact = ChangeImpact.RESTART)
        String clientId,

        @Key(
                value =
                        "What the login asks for beside openid, so that tokens have the claims. By default what the claims"
                                + " need: profile, email and others that OpenID Connect names, wlcg.groups,"
                                + " eduperson_entitlement, entitlements.",
                example = "[email, profile, wlcg.groups]",
                pattern = OpenId.SCOPE,
                impact = ChangeImpact.RESTART)
        List<String> scopes,

        @Key(
                value = "The claim that holds the user's name, at the top of the token.",
                defaultValue = "preferred_username",
                pattern = OpenId.CLAIM,
                impact = ChangeImpact.RESTART)
        String usernameClaim,

        @Key(
                value = "The claim that holds the user's groups, one or a list. One inside of others is a path,"
                        + " /realm_access/roles.",
                defaultValue = "groups",
                pattern = OpenId.CLAIM,
                impact = ChangeImpact.RESTART)
        String groupsClaim,

        @Key(
                value = "Users of the provider who may in; who is in, may do all that the cluster's administrator may.",
                example = "[alice]",
                pattern = MEMBER,
                impact = ChangeImpact.RESTART)
        List<String> users,

        @Key(
                value = "Groups of the provider whose members may in.",
                example = "[ops]",
                pattern = MEMBER,
                impact = ChangeImpact.RESTART)
        List<String> groups,

        @Key(
                value = "Certificate of the provider's authority, a file on this machine (a full path), if it is not a"
                        + " public one.",
                example = "/etc/ssl/lab-ca.crt",
                pattern = "/.+",
                impact = ChangeImpact.RESTART)
        Optional<String> caFile,

        @Key(
                value =
                        "The certificate of url; without it the machines make one of their own, which no browser trusts.",
                impact = ChangeImpact.RESTART)
        Optional<Certificate> certificate,

        @Key(
                value = "An account at the provider by which verify proves that a token is accepted (its client has to"
                        + " allow the password grant). The password is the site's secret"
                        + " mesos_<cluster>_oidc_acceptance_password.",
                example = "deepsite-check",
                pattern = "[A-Za-z0-9._@-]+",
                impact = ChangeImpact.FILE)
        Optional<String> acceptance) {
    static final String ADDRESS = "https?://[A-Za-z0-9][A-Za-z0-9._~:/%-]*";
    static final String PORT = "([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])";
    /** Also a URN, such as {@code urn:geant:example.org:group:ops#iam.example.org}. */
    static final String MEMBER = "[A-Za-z0-9._:/@#%+=-]+";

    private static final int HTTPS = 443;

    public MesosOidc {
        scopes = List.copyOf(scopes);
        users = List.copyOf(users);
        groups = List.copyOf(groups);
    }

    /** On the machines themselves, where whatever renews it puts it. */
    public record Certificate(
            @Key(
                    value = "The certificate and those between it and its authority, a full path there.",
                    example = "/etc/letsencrypt/live/mesos.example.org/fullchain.pem",
                    pattern = PATH,
                    impact = ChangeImpact.RESTART)
            String file,

            @Key(
                    value = "Its key, a full path there.",
                    example = "/etc/letsencrypt/live/mesos.example.org/privkey.pem",
                    pattern = PATH,
                    impact = ChangeImpact.RESTART)
            String key) {
        static final String PATH = "/[A-Za-z0-9._/-]+";
    }

    /** Where the provider describes itself. */
    public String configuration() {
        return OpenId.configuration(issuer);
    }

    /** Scopes of a login, openid first, separated by blanks. */
    public String allScopes() {
        return String.join(" ", OpenId.scopes(scopes, List.of(usernameClaim, groupsClaim)));
    }

    /** As mod_auth_openidc names it: with a dot between the keys. */
    public String groupsPath() {
        return String.join(".", OpenId.keys(groupsClaim));
    }

    /** Of {@link #url}, without the port. */
    public String host() {
        return URI.create(url).getHost();
    }

    public int port() {
        int port = URI.create(url).getPort();
        return port < 0 ? HTTPS : port;
    }
}
