"""Opens PCI functions through VFIO, like QEMU: vfio-open.py ADDRESS…

Fails unless the group of each is viable (all members are bound to vfio-pci, or are bridges), an IOMMU can be set for it, and the
function itself can be opened. Numbers are from linux/vfio.h.
"""

import fcntl
import os
import struct
import sys

VFIO_GROUP_GET_STATUS = 0x3B67
VFIO_GROUP_SET_CONTAINER = 0x3B68
VFIO_GROUP_GET_DEVICE_FD = 0x3B6A
VFIO_SET_IOMMU = 0x3B66
VFIO_TYPE1_IOMMU = 1
VIABLE = 1


def open_function(address, groups, container):
    number = os.path.basename(os.readlink("/sys/bus/pci/devices/%s/iommu_group" % address))
    if number not in groups:
        groups[number] = os.open("/dev/vfio/" + number, os.O_RDWR)
        status = fcntl.ioctl(groups[number], VFIO_GROUP_GET_STATUS, struct.pack("II", 8, 0))
        if not struct.unpack("II", status)[1] & VIABLE:
            sys.exit("group %s of %s is not viable" % (number, address))
        fcntl.ioctl(groups[number], VFIO_GROUP_SET_CONTAINER, struct.pack("i", container))
        if len(groups) == 1:
            fcntl.ioctl(container, VFIO_SET_IOMMU, VFIO_TYPE1_IOMMU)
    # For a mutable buffer Python returns the call's result, the new file's number.
    os.close(fcntl.ioctl(groups[number], VFIO_GROUP_GET_DEVICE_FD, bytearray(address.encode() + b"\0")))
    print("%s opens, in group %s" % (address, number))


def main():
    groups = {}
    container = os.open("/dev/vfio/vfio", os.O_RDWR)
    for address in sys.argv[1:]:
        open_function(address, groups, container)


main()
