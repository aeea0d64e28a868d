package io.deepsite.cli;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Loopback addresses that no other story uses at the same time, in this process or in that of another checkout. */
final class LoopbackNet implements AutoCloseable {
    /** The SSH port, outside the kernel's range of ephemeral ports. */
    static final int PORT = 22022;

    private final ServerSocket claim;

    private LoopbackNet(ServerSocket claim) {
        this.claim = claim;
    }

    static LoopbackNet claim() throws IOException {
        for (int number = 0; number < 256; number++) {
            try {
                return new LoopbackNet(new ServerSocket(PORT, 1, InetAddress.getByName("127.77." + number + ".254")));
            } catch (BindException e) {
                // Another story uses it.
            }
        }
        throw new IOException("256 stories run at once");
    }

    /** An address without its last number. */
    String prefix() {
        return claim.getInetAddress().getHostAddress().replaceAll("\\.\\d+$", "");
    }

    @Override
    public void close() throws IOException {
        claim.close();
    }
}
