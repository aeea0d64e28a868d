/**
 * Mail about sites to those who ordered them, by SMTP. Knows nothing of HTTP, and does not change sites.
 * Start at {@link io.deepsite.service.mail.Mailer}.
 */
@NullMarked
package io.deepsite.service.mail;

import org.jspecify.annotations.NullMarked;
