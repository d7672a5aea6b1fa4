#!/usr/bin/env python3
"""Builds the wheel of toolparse: the Python package, the library that it calls, and the command.

    python3 python/build.py                    # dist/toolparse-0.0.0-py3-none-PLATFORM.whl
    python3 python/build.py --test             # and runs the tests against it
    python3 python/build.py --version 1.2.0 --out DIR

It needs Go and a C compiler, and nothing from PyPI. The wheel is for the platform that it
is built on; it needs Python 3.9 or newer, and no other package.
"""

import argparse
import base64
import hashlib
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import sysconfig
import tempfile
import venv
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
LIBRARIES = {"win32": "toolparse.dll", "darwin": "libtoolparse.dylib"}
LIBRARY = LIBRARIES.get(sys.platform, "libtoolparse.so")
COMMAND = "toolparse.exe" if sys.platform == "win32" else "toolparse"

METADATA = """\
Metadata-Version: 2.1
Name: toolparse
Version: {version}
Summary: Reads the tool calls of any language model, and writes them
License: Apache-2.0
Requires-Python: >=3.9
Description-Content-Type: text/markdown

{readme}
"""

WHEEL = """\
Wheel-Version: 1.0
Generator: toolparse build.py
Root-Is-Purelib: false
Tag: {tag}
"""


def go(*arguments, **environment):
    command = ["go", *arguments]
    subprocess.run(command, cwd=HERE.parent, check=True, env={**os.environ, **environment})


def build(version, out):
    """Builds the wheel, and returns its path."""
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tag = f"py3-none-{platform}"
    info = f"toolparse-{version}.dist-info"
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder)
        go("build", "-trimpath", "-ldflags=-s -w", "-buildmode=c-shared", "-o", str(made / LIBRARY), "./python/lib", CGO_ENABLED="1")
        go("build", "-trimpath", "-ldflags=-s -w", "-o", str(made / COMMAND), "./cmd/toolparse", CGO_ENABLED="0")
        files = {f"toolparse/{path.name}": path.read_bytes() for path in sorted((HERE / "toolparse").iterdir()) if path.suffix in (".py", ".typed")}
        files["toolparse/" + LIBRARY] = (made / LIBRARY).read_bytes()
        files[f"toolparse-{version}.data/scripts/{COMMAND}"] = (made / COMMAND).read_bytes()
    files[f"{info}/METADATA"] = METADATA.format(version=version, readme=(HERE / "README.md").read_text("utf-8")).encode()
    files[f"{info}/WHEEL"] = WHEEL.format(tag=tag).encode()
    files[f"{info}/licenses/LICENSE"] = (HERE.parent / "LICENSE").read_bytes()

    out.mkdir(parents=True, exist_ok=True)
    wheel = out / f"toolparse-{version}-{tag}.whl"
    record = ""
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)  # without a time: the same source makes the same wheel
            entry.compress_type = zipfile.ZIP_DEFLATED
            mode = 0o755 if "/scripts/" in name or name.endswith(LIBRARY) else 0o644
            entry.external_attr = (stat.S_IFREG | mode) << 16  # pip makes only regular files executable
            archive.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{name},sha256={digest},{len(data)}\n"
        archive.writestr(f"{info}/RECORD", record + f"{info}/RECORD,,\n")
    return wheel


def test(wheel, vectors):
    """Installs the wheel where nothing else is, and runs the tests."""
    for script in (HERE / "engines").glob("*.py"):
        compile(script.read_text("utf-8"), str(script), "exec")  # what they need is not installed
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        venv.create(home / "venv", with_pip=True)
        scripts = home / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
        python = next(path for path in (scripts / "python", scripts / "python.exe") if path.exists())
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-index", str(wheel.resolve())], check=True)
        with open(home / "segments.jsonl", "wb") as out:
            names = [str(path.resolve()) for path in vectors]
            subprocess.run(["go", "run", "-trimpath", "./python/internal/segments", *names], cwd=HERE.parent, check=True, stdout=out)
        shutil.copytree(HERE / "tests", home / "tests")
        environment = {**os.environ, "TOOLPARSE_SEGMENTS": str(home / "segments.jsonl"), "TOOLPARSE_COMMAND": str(scripts / COMMAND)}
        subprocess.run([python, "-m", "unittest", "-v", "test_toolparse"], cwd=home / "tests", check=True, env=environment)
        subprocess.run([python, "-m", "doctest", "-o", "ELLIPSIS", str(HERE / "README.md")], cwd=home, check=True)
        subprocess.run([python, "-c", "import doctest, toolparse, sys; sys.exit(doctest.testmod(toolparse)[0])"], cwd=home, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", default="0.0.0", help="the version of the wheel")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("dist"), help="the folder for the wheel")
    parser.add_argument("--test", action="store_true", help="install the wheel in an environment of its own and run the tests")
    parser.add_argument(
        "--vectors", type=pathlib.Path, nargs="+", default=sorted((HERE.parent / "testdata" / "conformance").glob("*.jsonl")),
        help="the conformance vectors that the tests read at every split",
    )
    options = parser.parse_args()
    wheel = build(options.version, options.out)
    print(wheel)
    if options.test:
        test(wheel, options.vectors)


if __name__ == "__main__":
    main()
