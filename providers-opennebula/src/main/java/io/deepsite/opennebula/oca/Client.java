package io.deepsite.opennebula.oca;

import io.deepsite.provider.Pause;
import io.deepsite.state.CrashPoint;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import javax.net.ssl.SSLSocketFactory;
import org.apache.xmlrpc.XmlRpcException;
import org.apache.xmlrpc.client.XmlRpcClient;
import org.apache.xmlrpc.client.XmlRpcClientConfigImpl;
import org.apache.xmlrpc.client.XmlRpcClientException;
import org.apache.xmlrpc.client.XmlRpcHttpTransportException;
import org.apache.xmlrpc.client.XmlRpcSun15HttpTransportFactory;
import org.xml.sax.SAXException;

/**
 * Sends calls to one front-end, each with the session string. Thread-safe. Failures are {@link OneException}s, which hold
 * no secret.
 */
public final class Client {
    /** Filter of lists: objects of all users. */
    static final int ALL = -2;

    static final int WHOLE_RANGE = -1;

    private static final int TRIES = 3;
    private static final Duration BETWEEN = Duration.ofSeconds(1);

    static {
        // By default Java repeats a POST if the connection ends before the answer. The request may have taken effect,
        // so a repetition could make an object twice.
        System.setProperty("sun.net.http.retryPost", "false");
    }

    private final URI endpoint;
    private final Session session;
    private final Pause pause;
    private final XmlRpcClient transport = new XmlRpcClient();

    /**
     * @param tls the trusted authorities; empty for those of Java
     * @param connecting longest wait for a connection
     * @param reply longest wait for the next part of a reply
     */
    public Client(
            URI endpoint,
            Session session,
            Optional<SSLSocketFactory> tls,
            Duration connecting,
            Duration reply,
            Pause pause) {
        this.endpoint = endpoint;
        this.session = session;
        this.pause = pause;
        var config = new XmlRpcClientConfigImpl();
        try {
            config.setServerURL(endpoint.toURL());
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
        // Apache's extension types include serialised Java objects; OpenNebula uses none.
        config.setEnabledForExtensions(false);
        transport.setTypeFactory(new ReplyTypes(transport));
        config.setConnectionTimeout((int) connecting.toMillis());
        config.setReplyTimeout((int) reply.toMillis());
        var factory = new XmlRpcSun15HttpTransportFactory(transport);
        tls.ifPresent(factory::setSSLSocketFactory);
        transport.setTransportFactory(factory);
        transport.setConfig(config);
    }

    public URI endpoint() {
        return endpoint;
    }

    public String user() {
        return session.user();
    }

    int id(String method, Object... arguments) {
        return answer(method, Integer.class, arguments);
    }

    String text(String method, Object... arguments) {
        return answer(method, String.class, arguments);
    }

    Element document(String method, Object... arguments) {
        var text = text(method, arguments);
        try {
            return Element.parse(text);
        } catch (SAXException e) {
            throw new OneException.Garbled(
                    method,
                    text.contains("<!DOCTYPE")
                            ? "the document in the reply has a DOCTYPE, which deepsite refuses"
                            : "the document in the reply is not XML: " + firstLine(e),
                    e);
        }
    }

    private <T> T answer(String method, Class<T> type, Object... arguments) {
        if (asks(method)) {
            return answered(method, type, arguments);
        }
        CrashPoint.pass("request.before");
        var answer = answered(method, type, arguments);
        CrashPoint.pass("request.after");
        return answer;
    }

    private <T> T answered(String method, Class<T> type, Object... arguments) {
        var reply = call(method, arguments);
        if (!(reply instanceof Object[] parts) || parts.length < 3) {
            throw new OneException.Garbled(
                    method,
                    "the reply has "
                            + (reply instanceof Object[] some ? some.length + " parts" : "one part")
                            + " instead of 3");
        }
        if (!(parts[0] instanceof Boolean done) || !(parts[2] instanceof Integer code)) {
            throw new OneException.Garbled(method, "the parts of the reply have the wrong types");
        }
        if (!done) {
            throw new OneException.Refused(method, code, String.valueOf(parts[1]));
        }
        if (!type.isInstance(parts[1])) {
            throw new OneException.Garbled(
                    method,
                    "the reply holds no " + (type == Integer.class ? "number" : "text") + " as its second part");
        }
        return type.cast(parts[1]);
    }

    /**
     * Retries only calls that read: a broken call that writes may have taken effect. A server that did not answer in time
     * is not asked again, so the user learns of it after one timeout.
     */
    private Object call(String method, Object... arguments) {
        for (int tries = 1; ; tries++) {
            try {
                return send(method, arguments);
            } catch (OneException.Unreachable | OneException.Garbled e) {
                if (tries == TRIES || !asks(method) || e.getCause() instanceof SocketTimeoutException) {
                    throw e;
                }
                pause.of(BETWEEN);
            }
        }
    }

    private static boolean asks(String method) {
        return method.endsWith(".info") || method.endsWith(".infoextended") || method.endsWith(".version");
    }

    private Object send(String method, Object... arguments) {
        var all = new Object[arguments.length + 1];
        all[0] = session.text().reveal();
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        try {
            return transport.execute(method, all);
        } catch (XmlRpcHttpTransportException e) {
            throw new OneException.Garbled(
                    method, "it answered HTTP " + e.getStatusCode() + ", which OpenNebula never does", e);
        } catch (XmlRpcException e) {
            throw fault(method, e);
        } finally {
            Arrays.fill(all, null);
        }
    }

    private static OneException fault(String method, XmlRpcException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException) {
                return new OneException.Unreachable(method, firstLine(cause), cause);
            }
            if (cause instanceof SAXException) {
                return new OneException.Garbled(method, "the reply is not XML-RPC: " + firstLine(cause), cause);
            }
        }
        return e instanceof XmlRpcClientException
                ? new OneException.Garbled(method, "the reply is not XML-RPC: " + firstLine(e), e)
                : new OneException.NotUnderstood(method, e.code, firstLine(e), e);
    }

    private static String firstLine(Throwable fault) {
        var message = fault.getMessage() == null ? fault.getClass().getSimpleName() : fault.getMessage();
        return message.lines().findFirst().orElse(message).replaceAll("\\.$", "");
    }
}
