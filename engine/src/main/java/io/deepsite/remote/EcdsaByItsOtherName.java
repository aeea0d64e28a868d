package io.deepsite.remote;

import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyFactorySpi;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Security;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * sshj requests keys of the kind "ECDSA", Bouncy Castle's name; the JDK calls them "EC". Without this provider neither
 * a host nor a user could have an ECDSA key.
 */
final class EcdsaByItsOtherName extends Provider {
    private static final long serialVersionUID = 1;

    private EcdsaByItsOtherName() {
        super("deepsite", "1", "EC keys under the name ECDSA");
        putService(new Service(this, "KeyFactory", "ECDSA", Delegate.class.getName(), List.of(), Map.of()) {
            @Override
            public Object newInstance(@Nullable Object parameter) throws NoSuchAlgorithmException {
                return new Delegate();
            }
        });
    }

    static void register() {
        Security.addProvider(new EcdsaByItsOtherName());
    }

    private static final class Delegate extends KeyFactorySpi {
        private final KeyFactory ec;

        Delegate() throws NoSuchAlgorithmException {
            ec = KeyFactory.getInstance("EC");
        }

        @Override
        protected PublicKey engineGeneratePublic(KeySpec spec) throws InvalidKeySpecException {
            return ec.generatePublic(spec);
        }

        @Override
        protected PrivateKey engineGeneratePrivate(KeySpec spec) throws InvalidKeySpecException {
            return ec.generatePrivate(spec);
        }

        @Override
        protected <T extends KeySpec> T engineGetKeySpec(Key key, Class<T> kind) throws InvalidKeySpecException {
            return ec.getKeySpec(key, kind);
        }

        @Override
        protected Key engineTranslateKey(Key key) throws InvalidKeyException {
            return ec.translateKey(key);
        }
    }
}
