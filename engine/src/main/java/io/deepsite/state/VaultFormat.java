package io.deepsite.state;

/** How the vault is encrypted. */
public interface VaultFormat {
    /** The format of ansible-vault, whose key takes a tenth of a second to derive. */
    VaultFormat ANSIBLE = new VaultFormat() {
        @Override
        public byte[] encrypt(byte[] plain, VaultKey key) {
            return AnsibleVault.encrypt(plain, key);
        }

        @Override
        public byte[] decrypt(byte[] vault, VaultKey key, String name) {
            return AnsibleVault.decrypt(vault, key, name);
        }
    };

    byte[] encrypt(byte[] plain, VaultKey key);

    /**
     * @param name of the file, for the message
     * @throws io.deepsite.diag.Failure VAULT_DAMAGED, VAULT_KEY_WRONG
     */
    byte[] decrypt(byte[] vault, VaultKey key, String name);
}
