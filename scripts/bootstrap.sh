# Sourced by una, una-server, test and check: find a Python (3.11 or newer) and hand over to bootstrap.py.
# `self` is the resolved path of the script that was called. Everything else is decided in bootstrap.py.
here=$(CDPATH='' cd -- "$(dirname -- "$self")" && pwd -P) || exit 2
command=$(basename -- "$self")

# The environment's own Python first: it starts without any search.
for python in "$here/../.venv/bin/python" "$here/../.venv/Scripts/python.exe"; do
    if [ -x "$python" ] && "$python" -I -S -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        exec "$python" -I -S "$here/bootstrap.py" "$command" "$@"
    fi
done

# Exit status of the probe: 0 can make an environment, 3 lacks venv or pip, anything else too old or broken.
probe='
import sys
if sys.version_info < (3, 11):
    sys.exit(1)
from importlib.util import find_spec
sys.exit(0 if find_spec("venv") and find_spec("ensurepip") else 3)
'
incomplete=''
for name in python3 python3.13 python3.12 python3.11 python3.14 python; do
    python=$(command -v "$name") || continue
    "$python" -I -c "$probe" >/dev/null 2>&1
    case $? in
        0) exec "$python" -I "$here/bootstrap.py" "$command" "$@" ;;
        3) [ -n "$incomplete" ] || incomplete=$python ;;
    esac
done
if [ -n "$incomplete" ]; then
    exec "$incomplete" -I "$here/bootstrap.py" "$command" "$@"
fi
echo "una: no Python 3.11 or newer was found; install one (for example the package python3, or from your system's software shop), then run this again." >&2
exit 2
