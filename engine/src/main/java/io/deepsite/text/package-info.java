/**
 * Text for people on no particular medium: lists of hosts in short form, durations, markup whose content is escaped.
 * Must not know what the text is about, nor a terminal or a file.
 * Start at {@link io.deepsite.text.Markup}.
 */
@NullMarked
package io.deepsite.text;

import org.jspecify.annotations.NullMarked;
