package io.deepsite.lxd;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import javax.net.SocketFactory;

/**
 * A socket to a unix path; ignores the address given to connect. It has no read timeout of its own: OkHttp's timeouts
 * close it, which ends a blocked read.
 */
final class UnixSocket extends Socket {
    private final Path path;
    private final SocketChannel channel;

    private UnixSocket(Path path) throws IOException {
        this.path = path;
        this.channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    }

    /** Makes sockets to one path. */
    static final class Factory extends SocketFactory {
        private final Path path;

        Factory(Path path) {
            this.path = path;
        }

        @Override
        public Socket createSocket() throws IOException {
            return new UnixSocket(path);
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return connected();
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
            return connected();
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return connected();
        }

        @Override
        public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
                throws IOException {
            return connected();
        }

        private Socket connected() throws IOException {
            var socket = new UnixSocket(path);
            socket.channel.connect(UnixDomainSocketAddress.of(path));
            return socket;
        }
    }

    @Override
    public void connect(SocketAddress endpoint, int timeout) throws IOException {
        try {
            channel.connect(UnixDomainSocketAddress.of(path));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    // Channels.newInputStream and newOutputStream may share a lock; a websocket reads and writes concurrently.
    @Override
    public InputStream getInputStream() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                var one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                return length == 0 ? 0 : channel.read(ByteBuffer.wrap(bytes, offset, length));
            }

            @Override
            public void close() throws IOException {
                UnixSocket.this.close();
            }
        };
    }

    @Override
    public OutputStream getOutputStream() {
        return new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                var buffer = ByteBuffer.wrap(bytes, offset, length);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
            }

            @Override
            public void close() throws IOException {
                UnixSocket.this.close();
            }
        };
    }

    @Override
    public void setSoTimeout(int timeout) throws SocketException {
        if (isClosed()) {
            throw new SocketException("Socket is closed");
        }
    }

    @Override
    public int getSoTimeout() {
        return 0;
    }

    @Override
    public void setTcpNoDelay(boolean on) {}

    @Override
    public boolean isConnected() {
        return channel.isConnected();
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public boolean isInputShutdown() {
        return isClosed();
    }

    @Override
    public boolean isOutputShutdown() {
        return isClosed();
    }

    @Override
    public void shutdownInput() throws IOException {
        channel.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
