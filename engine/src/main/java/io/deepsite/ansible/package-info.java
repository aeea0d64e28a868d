/**
 * Writes the bundle, a folder that plain {@code ansible-playbook} runs, and runs it with an event stream. Must not know
 * plans. Start at {@link io.deepsite.ansible.Bundle}.
 */
@NullMarked
package io.deepsite.ansible;

import org.jspecify.annotations.NullMarked;
