package io.deepsite.openstack;

import io.deepsite.diag.Failure;
import io.deepsite.provider.BackEnd;
import java.io.IOException;
import java.time.Clock;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;
import org.openstack4j.api.OSClient.OSClientV3;
import org.openstack4j.core.transport.Config;
import org.openstack4j.openstack.OSFactory;

/**
 * One project of one cloud: logs in when first needed, and again before its token expires or when the cloud no longer accepts
 * it. Thread-safe, for many virtual threads.
 */
final class Cloud implements AutoCloseable {
    /** Flavors with extra specs in lists, policies of server groups, types of boot volumes. OpenStack Stein, 2019. */
    private static final Microversion COMPUTE = new Microversion(2, 67);
    /** Volumes grow while they are attached. OpenStack Pike, 2017; an older Cinder serves everything else. */
    private static final Microversion VOLUME = new Microversion(3, 42);

    private final Credentials credentials;
    private final Http http;
    private final Faults faults;
    private final Clock clock;
    private final Config config = Config.newConfig().withEndpointURLResolver(new Endpoints(this));
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Service, Versions> versions = new EnumMap<>(Service.class);
    private @Nullable Login login;

    Cloud(Credentials credentials, Http http, Clock clock) {
        this.credentials = credentials;
        this.http = http;
        this.clock = clock;
        this.faults = new Faults(credentials.origin());
    }

    /**
     * openstack4j for the calling thread. It keeps its session in a thread-local: use what this returns at once, on this
     * thread, and call it again for the next request.
     */
    OSClientV3 client() {
        return OSFactory.clientFromToken(login().openstack4j(), config);
    }

    /** Raw requests, for what openstack4j's model cannot say. */
    Rest rest(Service service) {
        return new Rest(this, service);
    }

    String projectId() {
        return login().project().getId();
    }

    String projectName() {
        return Read.text(login().project().getName());
    }

    /** Keystone invents the ids of projects, so one identifies its cloud, whatever the address and the user. */
    BackEnd backEnd() {
        return new BackEnd(
                "project " + projectId() + ", region " + region(),
                "project " + projectName() + " (" + projectId() + ") in region " + region() + " of "
                        + credentials.authUrl());
    }

    boolean offers(Service service) {
        return login().catalogue().url(service, credentials.facing(), region()).isPresent();
    }

    /** @throws Failure when the cloud does not offer it */
    String url(Service service) {
        var catalogue = login().catalogue();
        var region = region();
        return catalogue
                .url(service, credentials.facing(), region)
                .map(service::versioned)
                .orElseThrow(() -> faults.serviceMissing(
                        service,
                        region,
                        credentials.facing(),
                        catalogue.facings(service, region),
                        catalogue.types(region)));
    }

    /** The region of all calls. */
    String region() {
        var regions = login().catalogue().regions();
        if (credentials.region().isEmpty()) {
            if (regions.size() == 1) {
                return regions.first();
            }
            throw faults.regionNeeded(regions);
        }
        var region = credentials.region().get();
        if (!regions.contains(region)) {
            throw faults.unknownRegion(region, regions);
        }
        return region;
    }

    /** The microversions that the service takes; read once. */
    Versions versions(Service service) {
        return within(() -> versions.computeIfAbsent(
                service,
                one -> Versions.of(
                        one,
                        send(new Request.Builder().url(root(one))).orRefuse().json())));
    }

    /** Some catalogues name the project in the URL; the versions are one level above it. */
    private String root(Service service) {
        return url(service).replaceFirst("/(AUTH_)?" + projectId() + "$", "") + "/";
    }

    /** The microversion of every request to this service; empty for the service's default. */
    private Optional<Microversion> microversion(Service service) {
        return switch (service) {
            case COMPUTE -> {
                var versions = versions(service);
                if (!versions.takes(COMPUTE)) {
                    throw faults.novaTooOld(url(service), versions, COMPUTE);
                }
                yield Optional.of(COMPUTE);
            }
            case VOLUME -> versions(service).upTo(VOLUME);
            case IDENTITY, NETWORK, IMAGE, PLACEMENT -> Optional.empty();
        };
    }

    Requests requests() {
        return http.requests();
    }

    Faults faults() {
        return faults;
    }

    /** Sends a request of this project to a service, with the microversion that deepsite speaks with it. */
    Answer send(Service service, Request.Builder request) {
        microversion(service)
                .ifPresent(
                        version -> request.header("OpenStack-API-Version", service.microversionName() + " " + version));
        return send(request);
    }

    /** With the project's token, and once more with a new one when the cloud refuses that. */
    private Answer send(Request.Builder request) {
        request.header("Accept", "application/json");
        var before = login();
        var answer = sendWith(before, request);
        return answer.status() == 401 ? sendWith(renewed(before), request) : answer;
    }

    private Answer sendWith(Login by, Request.Builder request) {
        var complete = request.header("X-Auth-Token", by.token().reveal()).build();
        return faults.guarding(complete.url(), () -> http.send(complete));
    }

    private Login login() {
        return within(() -> {
            var now = login;
            return now == null || isEnding(now) ? newLogin() : now;
        });
    }

    /** Of several threads whose token was refused, one renews it. */
    private Login renewed(Login refused) {
        return within(() -> {
            var now = login;
            return now == null || now.token().equals(refused.token()) ? newLogin() : now;
        });
    }

    private Login newLogin() {
        var fresh = new Keystone(http, credentials, faults, clock).login();
        login = fresh;
        return fresh;
    }

    private boolean isEnding(Login of) {
        // A token that cannot be renewed is used until it expires.
        return !(credentials.method() instanceof Credentials.Token) && of.isEnding(clock.instant());
    }

    private <T> T within(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        http.close();
    }

    /** A call to the cloud. */
    interface Exchange {
        Answer send() throws IOException;
    }
}
