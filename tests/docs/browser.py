"""A page as a browser sees it: Chromium without a window, nothing from the network."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77  # what CTest takes for a skipped test


def find():
    """The browser; ends the test as skipped if there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return name
    print("skipped: there is no Chromium here (scripts/setup --docs installs it)")
    sys.exit(SKIPPED)


def dump_dom(path, width=1280, height=900):
    """The document after loading and scripts, as HTML."""
    with tempfile.TemporaryDirectory(prefix="alcedo-browser-") as profile:
        done = subprocess.run(
            [find(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
             "--allow-file-access-from-files", f"--user-data-dir={profile}", f"--window-size={width},{height}",
             "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=20000", "--dump-dom", pathlib.Path(path).resolve().as_uri()],
            text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=300, check=True)
    return done.stdout
