/* Lends QEMU devices another identity: LD_PRELOAD for the distribution's own qemu-system-x86_64.
 *
 *   DEEPSITE_PCI="gpu=secondary-vga:10de:1eb8:0302,…"   name=parent:vendor:device:class, all but the names in hexadecimal
 *
 * adds a device type that is its parent in everything but these three numbers. QEMU exports the functions of its object model for
 * its modules, and takes new types at any time before the machine is made. Where the numbers lie in PCIDeviceClass differs between
 * releases: they are looked for in the class of `edu`, whose numbers (1234:11e8) are part of QEMU's documentation.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As in qom/object.h, QEMU 5.2 to 9. */
struct type_info {
    const char *name, *parent;
    size_t instance_size, instance_align;
    void (*instance_init)(void *), (*instance_post_init)(void *), (*instance_finalize)(void *);
    bool abstract;
    size_t class_size;
    void (*class_init)(void *, void *), (*class_base_init)(void *, void *);
    void *class_data, *interfaces;
};

extern void *type_register_static(const struct type_info *) __attribute__((weak));
extern void *object_class_by_name(const char *) __attribute__((weak));

struct identity {
    unsigned vendor, device, class;
};

enum { LARGEST_CLASS = 512 };

static size_t place_of_numbers(void)
{
    static const uint16_t edu_numbers[] = {0x1234, 0x11e8};
    const uint8_t *edu = object_class_by_name("edu");

    for (size_t at = 0; edu && at < LARGEST_CLASS; at += sizeof(uint16_t))
        if (memcmp(edu + at, edu_numbers, sizeof edu_numbers) == 0)
            return at;
    fputs("fakepci: this QEMU keeps the numbers of a PCI device elsewhere\n", stderr);
    exit(1);
}

static void take_identity(void *class, void *data)
{
    const struct identity *identity = data;
    uint16_t *numbers = (uint16_t *)((uint8_t *)class + place_of_numbers());

    numbers[0] = identity->vendor;
    numbers[1] = identity->device;
    /* Between them lies the revision. */
    numbers[3] = identity->class;
}

__attribute__((constructor)) static void add_types(void)
{
    const char *asked = getenv("DEEPSITE_PCI");
    char *rest = NULL;

    if (!asked || !type_register_static)
        return;
    /* Not for what QEMU itself starts. */
    unsetenv("LD_PRELOAD");
    for (char *one = strtok_r(strdup(asked), ",", &rest); one; one = strtok_r(NULL, ",", &rest)) {
        char name[64], parent[64];
        struct identity *identity = calloc(1, sizeof *identity);
        struct type_info type = {0};

        if (sscanf(one, "%63[^=]=%63[^:]:%x:%x:%x", name, parent, &identity->vendor, &identity->device, &identity->class) != 5) {
            fprintf(stderr, "fakepci: not name=parent:vendor:device:class: %s\n", one);
            exit(1);
        }
        type.name = strdup(name);
        type.parent = strdup(parent);
        type.class_init = take_identity;
        type.class_data = identity;
        type_register_static(&type);
    }
}
