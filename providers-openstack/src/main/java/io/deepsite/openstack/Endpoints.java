package io.deepsite.openstack;

import java.util.Locale;
import okhttp3.HttpUrl;
import org.openstack4j.api.identity.EndpointURLResolver;
import org.openstack4j.model.identity.URLResolverParams;

/**
 * The link from a request of openstack4j to the cloud that it is for: openstack4j has one executor for the whole process.
 * What it takes for an endpoint is the name of the service, {@code http://network}, to which it adds the version; the URL
 * is the catalogue's.
 */
final class Endpoints implements EndpointURLResolver {
    private final Cloud cloud;

    Endpoints(Cloud cloud) {
        this.cloud = cloud;
    }

    Cloud cloud() {
        return cloud;
    }

    @Override
    public String findURLV3(URLResolverParams parameters) {
        var service = Service.of(parameters.type)
                .orElseThrow(() -> new IllegalArgumentException("deepsite does not call " + parameters.type));
        return "http://" + service.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String findURLV2(URLResolverParams parameters) {
        throw new IllegalArgumentException("Keystone's version 2 is not used");
    }

    /** @param url of a request, made from what {@link #findURLV3} returned */
    static Service service(HttpUrl url) {
        return Service.valueOf(url.host().toUpperCase(Locale.ROOT));
    }

    /** Path and query below the service's version. */
    static String path(HttpUrl url) {
        var query = url.encodedQuery();
        return service(url).unversioned(url.encodedPath()) + (query == null ? "" : "?" + query);
    }
}
