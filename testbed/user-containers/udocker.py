"""A stand-in of udocker for tests: import, create, run and version, as its manual has them, by the engine that its settings name."""
import os
import subprocess
import sys
import tarfile

HOME = os.environ.get("UDOCKER_DIR", os.path.expanduser("~/.udocker"))


def main(words):
    if words == ["version"]:
        print("version: 0.0.1-stand-in")
        return 0
    if os.environ["UDOCKER_TARBALL"] != "":
        sys.exit("it would download an engine")
    if words.pop(0) != "--quiet":
        sys.exit("--quiet is missing")
    verb = words.pop(0)
    if verb == "import":
        archive, image = words
        place = os.path.join(HOME, "images", image)
        os.makedirs(place)
        with tarfile.open(archive) as file:
            file.extractall(place)
        print(image)
        return 0
    if verb == "create":
        name, image = words
        os.makedirs(os.path.join(HOME, "containers"), exist_ok=True)
        os.symlink(os.path.join(HOME, "images", image), os.path.join(HOME, "containers", name.removeprefix("--name=")))
        print("a-container")
        return 0
    if verb == "run" and words.pop(0) == "--nobanner":
        root = os.path.realpath(os.path.join(HOME, "containers", words.pop(0)))
        return subprocess.run([os.environ["UDOCKER_USE_PROOT_EXECUTABLE"], "-0", "-k", os.uname().release, "-r", root, "-w", "/", *words], check=False).returncode
    sys.exit("not a command of this stand-in: " + verb)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
