package io.deepsite.cluster;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What clusters have in common that let users of an OpenID Connect provider in. */
public final class OpenId {
    /** The name of a claim; one inside of others is written as a path, {@code /realm_access/roles}. */
    public static final String CLAIM =
            "/[A-Za-z0-9_.:-]+/[A-Za-z0-9_.:/-]*[A-Za-z0-9_.:-]|[A-Za-z0-9_.:-][A-Za-z0-9_.:/-]*";

    /** A scope; without quotes, backslash and dollar, which configuration files read as something else. */
    public static final String SCOPE = "[A-Za-z0-9._:/*=+-]+";

    private static final String OPENID = "openid";

    /**
     * The scope that gives a claim. Source: OpenID Connect Core 1.0, section 5.4; for {@code wlcg.groups} the WLCG
     * Common JWT Profiles; the entitlements as AARC's providers (EGI Check-in, INDIGO IAM) name them.
     */
    private static final Map<String, Set<String>> CLAIMS_OF_SCOPES = Map.of(
            "profile",
            Set.of(
                    "name",
                    "family_name",
                    "given_name",
                    "middle_name",
                    "nickname",
                    "preferred_username",
                    "profile",
                    "picture",
                    "website",
                    "gender",
                    "birthdate",
                    "zoneinfo",
                    "locale",
                    "updated_at"),
            "email",
            Set.of("email", "email_verified"),
            "address",
            Set.of("address"),
            "phone",
            Set.of("phone_number", "phone_number_verified"),
            "wlcg.groups",
            Set.of("wlcg.groups"),
            "eduperson_entitlement",
            Set.of("eduperson_entitlement"),
            "entitlements",
            Set.of("entitlements"));

    private OpenId() {}

    /**
     * Where a provider describes itself. The issuer may end with a slash, which is a part of its name, not of this
     * address. Source: OpenID Connect Discovery 1.0, section 4.
     */
    public static String configuration(String issuer) {
        return (issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer)
                + "/.well-known/openid-configuration";
    }

    /**
     * The scopes of a login, {@code openid} first.
     *
     * @param asked in site.yaml; empty for those that the claims need
     * @param claims that the cluster reads
     */
    public static List<String> scopes(List<String> asked, Collection<String> claims) {
        var scopes = new LinkedHashSet<String>();
        scopes.add(OPENID);
        scopes.addAll(asked);
        if (asked.isEmpty()) {
            claims.stream()
                    .flatMap(claim -> CLAIMS_OF_SCOPES.entrySet().stream()
                            .filter(scope ->
                                    scope.getValue().contains(keys(claim).getFirst()))
                            .map(Map.Entry::getKey))
                    .sorted()
                    .forEach(scopes::add);
        }
        return List.copyOf(scopes);
    }

    /** The keys that lead to a claim; one for a claim that is not inside of others. */
    public static List<String> keys(String claim) {
        if (!isNested(claim)) {
            return List.of(claim);
        }
        return List.of(claim.substring(1).split("/+"));
    }

    public static boolean isNested(String claim) {
        return claim.startsWith("/");
    }
}
