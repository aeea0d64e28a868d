/* A libnvidia-ml.so.1 for the lane mesos-real: the functions that a Mesos agent calls, with the signatures of NVIDIA's
   published nvml.h. DEEPSITE_CARDS, how many cards it has, is set when it is compiled. */
#include <string.h>

typedef struct card *nvmlDevice_t;

static struct card { unsigned int minor; } cards[DEEPSITE_CARDS];

enum { SUCCESS = 0, INVALID_ARGUMENT = 2 };

int nvmlInit_v2(void) {
    for (unsigned int number = 0; number < DEEPSITE_CARDS; number++) cards[number].minor = number;
    return SUCCESS;
}

int nvmlSystemGetDriverVersion(char *version, unsigned int length) {
    strncpy(version, "390.30", length);
    return SUCCESS;
}

int nvmlDeviceGetCount(unsigned int *count) {
    *count = DEEPSITE_CARDS;
    return SUCCESS;
}

int nvmlDeviceGetHandleByIndex(unsigned int index, nvmlDevice_t *device) {
    if (index >= DEEPSITE_CARDS) return INVALID_ARGUMENT;
    *device = &cards[index];
    return SUCCESS;
}

int nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned int *minor) {
    *minor = device->minor;
    return SUCCESS;
}

const char *nvmlErrorString(int result) { return result == SUCCESS ? "Success" : "Invalid Argument"; }
