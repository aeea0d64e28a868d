package io.deepsite.provider;

/**
 * Which back-end a provider looks at. What a state records is found at one of them and at no other.
 *
 * @param identity the same by whatever address and as whatever user it is reached, where the back-end can tell
 * @param words how a message names it, its address included
 */
public record BackEnd(String identity, String words) {}
