#!/usr/bin/env python3
"""Every page of the site fits a telephone and a desktop: nothing is wider than the window, and no text is tiny.

usage: site_in_browser.py SITE
"""
import json
import pathlib
import re
import sys
import tempfile

import browser

# Shows each page in a frame of each width, and writes down what it measures there.
HARNESS = """<!DOCTYPE html><meta charset="utf-8"><body><script>
const pages = PAGES, widths = [400, 1280], found = [];
async function measure(address, width) {
  const frame = document.createElement('iframe');
  frame.style.cssText = `width:${width}px;height:800px;border:0`;
  const loaded = new Promise(done => frame.onload = done);
  frame.src = address;
  document.body.append(frame);
  await loaded;
  const view = frame.contentWindow, page = frame.contentDocument;
  let smallest = 99;
  for (const element of page.querySelectorAll('main *, nav *, aside *')) {
    if (element.textContent.trim() && element.offsetParent) smallest = Math.min(smallest, parseFloat(view.getComputedStyle(element).fontSize));
  }
  const broken = [...page.images].filter(image => !image.naturalWidth).length;
  found.push({address, width, content: page.documentElement.scrollWidth, smallest, broken, headings: page.querySelectorAll('h1').length});
  frame.remove();
}
(async () => {
  for (const address of pages) for (const width of widths) await measure(address, width);
  document.body.innerHTML = '<pre id="found"></pre>';
  document.getElementById('found').textContent = JSON.stringify(found);
})();
</script></body>
"""


def problem_of(seen):
    if seen["content"] > seen["width"]:
        return f"is {seen['content']} pixels wide"
    if seen["smallest"] < 11:
        return f"has letters of {seen['smallest']} pixels"
    if seen["broken"]:
        return f"has {seen['broken']} images that do not load"
    if seen["headings"] != 1:
        return f"has {seen['headings']} main headings"
    return None


def main():
    browser.find()
    site = pathlib.Path(sys.argv[1])
    pages = sorted(site.rglob("*.html"))
    with tempfile.TemporaryDirectory() as folder:
        harness = pathlib.Path(folder, "harness.html")
        harness.write_text(HARNESS.replace("PAGES", json.dumps([page.resolve().as_uri() for page in pages])))
        dom = browser.dump_dom(harness, 1400, 900)
    text = re.search(r'<pre id="found">(.*?)</pre>', dom, re.S)
    if not text:
        print("the browser measured nothing", file=sys.stderr)
        return 1
    found = json.loads(text[1])
    failures = 0
    for seen in found:
        problem = problem_of(seen)
        if problem:
            failures += 1
            print(f"{seen['address'].split('/site/')[-1]} {problem}, seen in a window of {seen['width']}", file=sys.stderr)
    if not pages or len(found) != 2 * len(pages):
        print(f"{len(found)} views of {len(pages)} pages were measured", file=sys.stderr)
        return 1
    print(f"{len(pages)} pages seen at two widths, {failures} problems")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
