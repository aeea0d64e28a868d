package io.deepsite.site;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReleaseTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "centos/7",
                "CentOS-7-x86_64-GenericCloud",
                "rockylinux/9",
                "rocky-9",
                "almalinux/9",
                "fedora",
                "alpine/3.19",
                "oracle/8",
                "ubuntu/16.04",
                "ubuntu-14.04-server",
                "ubuntu1604",
                "ubuntu/xenial"
            })
    void aSystemThatNoRoleConfigures(String image) {
        assertThat(Release.unsupported(ImageName.parse(image))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "debian/12",
                "debian-12",
                "ubuntu/18.04",
                "ubuntu/24.04",
                "ubuntu-2",
                "ubuntu/noble",
                "our-centos-like",
                "rocky-nova-host",
                "archive-2024",
                "cuda-node"
            })
    void oneThatRolesConfigureOrThatTheNameDoesNotTell(String image) {
        assertThat(Release.unsupported(ImageName.parse(image))).isEmpty();
    }
}
