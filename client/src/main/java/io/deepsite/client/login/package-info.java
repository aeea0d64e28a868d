/** Ways to get tokens of an identity provider. Only a login, and a token that is over, load it and its library. */
@NullMarked
package io.deepsite.client.login;

import org.jspecify.annotations.NullMarked;
