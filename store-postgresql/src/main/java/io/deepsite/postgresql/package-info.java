/**
 * The records of sites in a PostgreSQL database, which several machines share. Every write checks the fence of the
 * site's lock by the database's clock, so whoever lost the lock writes nothing more.
 */
@NullMarked
package io.deepsite.postgresql;

import org.jspecify.annotations.NullMarked;
