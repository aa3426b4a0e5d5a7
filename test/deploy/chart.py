"""Lints the chart with the values on standard input, renders it, and writes {"faults": [...], "files": {...}} as JSON."""

import json
import sys

from helm_python.chart import Chart, lint
from helm_python.errors import HelmError

path, values = sys.argv[1], json.load(sys.stdin)
try:
    said = lint(path, values=values, strict=True, kube_version="1.37.0")
    # Severities: 1 information, 2 warning, 3 error.
    faults = [m["error"] for m in said["messages"] if m["severity"] > 1] + said["errors"]
    files = {} if faults else Chart.load(path).render(values, name="hub")
except HelmError as error:
    faults, files = [str(error)], {}
json.dump({"faults": faults, "files": files}, sys.stdout)
