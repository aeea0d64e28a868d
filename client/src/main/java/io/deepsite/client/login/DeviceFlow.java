package io.deepsite.client.login;

import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.device.DeviceAuthorizationRequest;
import com.nimbusds.oauth2.sdk.device.DeviceAuthorizationResponse;
import com.nimbusds.oauth2.sdk.device.DeviceAuthorizationSuccessResponse;
import com.nimbusds.oauth2.sdk.device.DeviceCodeGrant;
import io.deepsite.client.EventReader;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Somebody logs in with a browser on any device, by a code. Source: RFC 8628. */
public final class DeviceFlow {
    /** Added whenever the provider asks to be asked less often. */
    private static final Duration SLOWER = Duration.ofSeconds(5);

    private final IdentityProvider provider;
    private final EventReader.Pause pause;

    public DeviceFlow(IdentityProvider provider, EventReader.Pause pause) {
        this.provider = provider;
        this.pause = pause;
    }

    /**
     * @param show to the person who logs in
     * @throws Failure LOGIN_FAILED, IDENTITY_PROVIDER
     */
    public ProviderTokens tokens(List<String> scopes, Consumer<DevicePrompt> show) {
        var scope = provider.scope(scopes);
        var begun = begun(new DeviceAuthorizationRequest.Builder(provider.client())
                .endpointURI(provider.metadata().getDeviceAuthorizationEndpointURI())
                .scope(scope)
                .build());
        show.accept(new DevicePrompt(
                begun.getVerificationURI(),
                begun.getUserCode().getValue(),
                Optional.ofNullable(begun.getVerificationURIComplete()),
                Duration.ofSeconds(begun.getLifetime())));
        var end = provider.clock().instant().plusSeconds(begun.getLifetime());
        var interval = Duration.ofSeconds(begun.getInterval());
        while (provider.clock().instant().isBefore(end)) {
            rest(interval);
            try {
                return provider.tokens(new DeviceCodeGrant(begun.getDeviceCode()), null);
            } catch (IdentityProvider.RefusedException e) {
                switch (e.code()) {
                    case "authorization_pending" -> {}
                    case "slow_down" -> interval = interval.plus(SLOWER);
                    case "expired_token" -> throw tooLate();
                    default ->
                        throw IdentityProvider.failed(
                                "The identity provider answers " + e.getMessage() + ".", "Log in again.");
                }
            }
        }
        throw tooLate();
    }

    private static Failure tooLate() {
        return IdentityProvider.failed("Nobody typed the code in time.", "Log in again.");
    }

    private DeviceAuthorizationSuccessResponse begun(DeviceAuthorizationRequest request) {
        try {
            var answer = DeviceAuthorizationResponse.parse(provider.sent(request.toHTTPRequest()));
            if (!answer.indicatesSuccess()) {
                var error = answer.toErrorResponse().getErrorObject();
                throw IdentityProvider.failed(
                        "The identity provider answers "
                                + IdentityProvider.words(error.getCode(), error.getDescription()) + ".",
                        "It may not allow this client to log in on devices: try the browser of this machine,"
                                + " with --browser.");
            }
            return answer.toSuccessResponse();
        } catch (IOException e) {
            throw provider.unusable(e.getMessage() == null ? e.toString() : e.getMessage(), e);
        } catch (ParseException e) {
            throw provider.unusable("its answer holds no code", null);
        }
    }

    private void rest(Duration time) {
        try {
            pause.rest(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
