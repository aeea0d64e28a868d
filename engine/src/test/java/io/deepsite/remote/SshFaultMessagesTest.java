package io.deepsite.remote;

import static io.deepsite.diag.FaultMessage.assertReads;

import io.deepsite.diag.Failure;
import java.io.IOException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Messages about hosts whose faults cannot be produced on the loopback net. */
class SshFaultMessagesTest {
    private static final SshTarget NODE = LocalRemote.target("node-1");

    @Test
    void saysWhyAHostIsUnreachable() {
        reads("hosts/DS3001-no-answer", SshFaults.silent(NODE, new SocketTimeoutException("Connect timed out")));
        reads("hosts/DS3001-no-way", SshFaults.silent(NODE, new NoRouteToHostException("No route to host")));
        reads("hosts/DS3001-no-name", SshFaults.silent(NODE, new UnknownHostException("192.0.2.1")));
        reads("hosts/DS3001-slow-login", SshFaults.slowLogin(NODE, SshTimes.USUAL, new SocketTimeoutException()));
    }

    @Test
    void saysThatAJumpIsForbidden() {
        reads(
                "hosts/DS3010-jump-forbidden",
                SshFaults.notPassedOn(NODE, LocalRemote.target("gate"), new IOException("open failed")));
    }

    @Test
    void saysWhichCommandTookTooLong() {
        reads("hosts/DS3007-command-too-slow", SshFaults.tooSlow(NODE, "/bin/sh", Duration.ofSeconds(120)));
    }

    private static void reads(String name, Failure failure) {
        assertReads(name, () -> {
            throw failure;
        });
    }
}
