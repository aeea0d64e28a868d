package io.deepsite.site;

import java.util.Optional;

/**
 * A network as a person sees it in a picture of the site.
 *
 * @param name as site.yaml or the back-end calls it
 * @param range its addresses, where site.yaml says them
 * @param purpose one line; may be empty
 */
public record SiteNetwork(String name, Optional<Cidr> range, String purpose) {}
