package io.deepsite.cli;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Addresses of the loopback that no other story has meanwhile, be it of this process or of another checkout's. */
final class LoopbackNet implements AutoCloseable {
    /** Of SSH. Not one that the kernel gives to whoever asks for any. */
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
                // Another story has it.
            }
        }
        throw new IOException("256 stories run at once");
    }

    /** An address less its last number. */
    String prefix() {
        return claim.getInetAddress().getHostAddress().replaceAll("\\.\\d+$", "");
    }

    @Override
    public void close() throws IOException {
        claim.close();
    }
}
