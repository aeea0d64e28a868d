package io.deepsite.remote;

import com.hierynomus.sshj.key.KeyAlgorithms;
import com.hierynomus.sshj.transport.cipher.BlockCiphers;
import com.hierynomus.sshj.transport.cipher.GcmCiphers;
import com.hierynomus.sshj.transport.kex.DHGroups;
import com.hierynomus.sshj.transport.kex.ExtInfoClientFactory;
import com.hierynomus.sshj.transport.mac.Macs;
import com.hierynomus.sshj.userauth.keyprovider.OpenSSHKeyV1KeyFile;
import java.util.List;
import net.schmizz.keepalive.KeepAliveProvider;
import net.schmizz.sshj.ConfigImpl;
import net.schmizz.sshj.common.LoggerFactory;
import net.schmizz.sshj.common.SecurityUtils;
import net.schmizz.sshj.transport.compression.NoneCompression;
import net.schmizz.sshj.transport.kex.Curve25519SHA256;
import net.schmizz.sshj.transport.kex.ECDHNistP;
import net.schmizz.sshj.transport.random.JCERandom;
import net.schmizz.sshj.transport.random.SingletonRandomFactory;
import net.schmizz.sshj.userauth.keyprovider.OpenSSHKeyFile;
import net.schmizz.sshj.userauth.keyprovider.PKCS8KeyFile;
import org.slf4j.Logger;
import org.slf4j.helpers.NOPLogger;

/**
 * The supported algorithms: only those that OpenSSH offers by default since 8.2 (Debian 11, Ubuntu 20.04), all of them
 * in the JDK. sshj's own list registers Bouncy Castle and tests 40 ciphers at start, which costs 260 ms of CPU.
 */
final class SshAlgorithms extends ConfigImpl {
    /** sshj logs to standard error what this package reports as a diagnostic. */
    private static final LoggerFactory SILENT = new LoggerFactory() {
        @Override
        public Logger getLogger(String name) {
            return NOPLogger.NOP_LOGGER;
        }

        @Override
        public Logger getLogger(Class<?> clazz) {
            return NOPLogger.NOP_LOGGER;
        }
    };

    static {
        SecurityUtils.setRegisterBouncyCastle(false);
        EcdsaByItsOtherName.register();
    }

    SshAlgorithms() {
        setLoggerFactory(SILENT);
        setVersion("deepsite");
        setKeyExchangeFactories(List.of(
                new Curve25519SHA256.Factory(),
                new Curve25519SHA256.FactoryLibSsh(),
                new ECDHNistP.Factory256(),
                DHGroups.Group16SHA512(),
                DHGroups.Group14SHA256(),
                new ExtInfoClientFactory()));
        setKeyAlgorithms(List.of(
                KeyAlgorithms.EdDSA25519(),
                KeyAlgorithms.ECDSASHANistp256(),
                KeyAlgorithms.ECDSASHANistp384(),
                KeyAlgorithms.ECDSASHANistp521(),
                KeyAlgorithms.RSASHA512(),
                KeyAlgorithms.RSASHA256()));
        setCipherFactories(List.of(
                GcmCiphers.AES256GCM(), GcmCiphers.AES128GCM(), BlockCiphers.AES256CTR(), BlockCiphers.AES128CTR()));
        setMACFactories(List.of(Macs.HMACSHA2256Etm(), Macs.HMACSHA2512Etm(), Macs.HMACSHA2256(), Macs.HMACSHA2512()));
        setCompressionFactories(List.of(new NoneCompression.Factory()));
        setRandomFactory(new SingletonRandomFactory(new JCERandom.Factory()));
        setFileKeyProviderFactories(
                List.of(new OpenSSHKeyV1KeyFile.Factory(), new PKCS8KeyFile.Factory(), new OpenSSHKeyFile.Factory()));
        setKeepAliveProvider(KeepAliveProvider.KEEP_ALIVE);
    }
}
