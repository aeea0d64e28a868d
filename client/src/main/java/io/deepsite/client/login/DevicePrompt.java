package io.deepsite.client.login;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * What somebody does on a device with a browser.
 *
 * @param code to type there
 * @param withCode a page that has the code already
 * @param time until it is too late
 */
public record DevicePrompt(URI page, String code, Optional<URI> withCode, Duration time) {}
