# Sourced by the commands: finds a Python that is new enough and hands over to it.

for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        python=$candidate
        break
    fi
done
if [ -z "${python:-}" ]; then
    echo "Ringside needs Python 3.11 or newer, but none is on the PATH of this computer." >&2
    echo "On Debian or Ubuntu:  sudo apt-get install python3 python3-pip" >&2
    exit 1
fi
