package io.deepsite.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.diag.Code;
import org.junit.jupiter.api.Test;

class RoleFaultTest {
    @Test
    void readsTheFaultsOfRoles() {
        assertThat(RoleFault.in("before\nFAULT\tDS3201\tPort 80 is taken.\tFree it.\nafter"))
                .containsExactly(new RoleFault(Code.PORT_TAKEN, "Port 80 is taken.", "Free it."));
    }

    @Test
    void aHostCanReportOnlyRoleFaults() {
        assertThat(RoleFault.in("FAULT\tDS1016\tx\ty\nFAULT\tDS6001\tx\ty\nFAULT\tDS9999\tx\ty\nFAULT\tDS3201\tx"))
                .isEmpty();
        assertThat(RoleFault.in("FAULT\tDS3201\t\u001b[2Jx\t\u009by"))
                .containsExactly(new RoleFault(Code.PORT_TAKEN, "?[2Jx", "?y"));
    }

    @Test
    void limitsWhatAHostReports() {
        var many = new StringBuilder();
        for (int i = 0; i < 1000; i++) {
            many.append("FAULT\tDS3201\t").append(i).append("x".repeat(5000)).append("\ty\n");
        }

        assertThat(RoleFault.in(many.toString()))
                .hasSize(20)
                .allMatch(fault -> fault.why().length() <= 4001);
    }
}
