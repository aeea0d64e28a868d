package org.apache.mesos.chronos.scheduler;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.List;

/** What the test's jar holds: it answers at the address of its options as a Chronos that leads. */
public final class Main {
    public static void main(String[] arguments) throws Exception {
        var words = List.of(arguments);
        var address = words.get(words.indexOf("--http_address") + 1);
        int port = Integer.parseInt(words.get(words.indexOf("--http_port") + 1));
        var server = HttpServer.create(new InetSocketAddress(address, port), 0);
        server.createContext("/v1/scheduler/jobs", exchange -> {
            byte[] body = "[]".getBytes();
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }
}
