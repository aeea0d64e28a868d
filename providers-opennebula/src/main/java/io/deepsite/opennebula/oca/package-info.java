/**
 * The XML-RPC calls of an OpenNebula front-end, one class per family, named as in OpenNebula's own bindings.
 * Must not know deepsite's resources, sites or diagnostics. Start at {@code Client}.
 */
@NullMarked
package io.deepsite.opennebula.oca;

import org.jspecify.annotations.NullMarked;
