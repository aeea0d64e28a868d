package io.deepsite.service.sites;

/**
 * Who asks for something, for the records.
 *
 * @param id of a person; of the service itself, {@link #SERVICE}
 * @param name as pages show it; accounts on sites are named after it
 * @param address where the request came from
 */
public record Caller(String id, String name, String address) {
    public static final Caller SERVICE = new Caller("deepsite", "the service", "");
}
