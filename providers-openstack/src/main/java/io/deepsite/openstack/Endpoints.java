package io.deepsite.openstack;

import org.openstack4j.api.identity.EndpointURLResolver;
import org.openstack4j.model.identity.URLResolverParams;

/**
 * Finds endpoints for openstack4j by region and interface of the cloud, and is the thread from one of its requests back to
 * the connection that the request belongs to: openstack4j has one executor for the whole process.
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
        return cloud.url(Service.of(parameters.type)
                .orElseThrow(() -> new IllegalArgumentException("deepsite does not call " + parameters.type)));
    }

    @Override
    public String findURLV2(URLResolverParams parameters) {
        throw new IllegalArgumentException("Keystone's version 2 is not used");
    }
}
