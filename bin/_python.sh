# Sourced by the commands: sets `python` to a Python that is new enough.
#
# The Python that made .venv stays, also when another one comes first on the PATH: it needs no network. Otherwise the
# system's is the first choice: distributions build it with optimizations, which many others lack. Where uv is missing, pip
# has to install the packages.

made_by=$(sed -n 's/^home = //p' .venv/pyvenv.cfg 2>/dev/null || true)
system=
case ":$PATH:" in *:/usr/bin:*) system=/usr/bin/python3 ;; esac
installer=pip
if command -v uv >/dev/null; then
    installer=sys
fi
python=
for candidate in ${made_by:+"$made_by/python3"} $system python3 python3.14 python3.13 python3.12 python3.11 python; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        python=${python:-$candidate}
        if "$candidate" -c "import $installer" 2>/dev/null; then
            python=$candidate
            break
        fi
    fi
done
if [ -z "$python" ]; then
    echo "Ringside needs Python 3.11 or newer, but none is on the PATH of this computer." >&2
    echo "On Debian or Ubuntu:  sudo apt-get install python3 python3-pip" >&2
    exit 1
fi
