package io.deepsite.service.http;

import io.deepsite.site.Cidr;
import io.deepsite.site.IpAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.List;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * The address of the client, as the proxy before this service appends it to X-Forwarded-For. Read from the right: what a
 * client wrote there itself is further to the left. The header Forwarded does not count, for a proxy that appends to one of
 * the two passes on what a client wrote into the other.
 */
final class ForwardedFor implements HttpConfiguration.Customizer {
    private static final String HEADER = "X-Forwarded-For";

    private final List<Cidr> proxies;

    /** @param proxies further ones, between the client and the proxy that reaches this service */
    ForwardedFor(List<Cidr> proxies) {
        this.proxies = List.copyOf(proxies);
    }

    @Override
    public Request customize(Request request, HttpFields.Mutable answer) {
        var client = client(request.getHeaders().getValuesList(HEADER));
        return client == null ? request : new From(request, client);
    }

    /** @return null: the header says nothing that can be used */
    @Nullable
    InetAddress client(List<String> headers) {
        var addresses = headers.stream()
                .flatMap(header -> Arrays.stream(header.split(",")))
                .map(String::strip)
                .toList();
        @Nullable InetAddress last = null;
        for (var text : addresses.reversed()) {
            try {
                last = InetAddress.ofLiteral(text);
            } catch (IllegalArgumentException e) {
                return last;
            }
            if (!isProxy(text)) {
                return last;
            }
        }
        return last;
    }

    private boolean isProxy(String text) {
        var address = IpAddress.parse(text);
        return proxies.stream().anyMatch(network -> network.contains(address));
    }

    private static final class From extends Request.Wrapper {
        private final ConnectionMetaData connection;

        From(Request request, InetAddress client) {
            super(request);
            var address = new InetSocketAddress(client, 0);
            connection = new ConnectionMetaData.Wrapper(request.getConnectionMetaData()) {
                @Override
                public SocketAddress getRemoteSocketAddress() {
                    return address;
                }
            };
        }

        @Override
        public ConnectionMetaData getConnectionMetaData() {
            return connection;
        }
    }
}
