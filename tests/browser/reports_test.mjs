// Reports in a real browser: node --test reports_test.mjs, with PROGRAM and CHROMIUM in the environment.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { assertTrue, colourCount, launch, mapData, markCounts, open, picture, readout } from "./browser.mjs";
import { oddSymbols, writeLongStudy, writeOddStudy } from "./studies.mjs";

let folder, browser;
const tapehead = (...words) => execFileSync(process.env.PROGRAM, words, { cwd: folder, encoding: "utf8", stdio: "pipe" });
const file = (name) => join(folder, name);
const mapCanvas = "figure.map .map-view canvas";

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "tapehead-browser-"));
  tapehead("train", "reverse", "--steps", "60", "--threads", "1", "--out", "run", "--set", "train.eval_every=20",
    "--set", "task.length=6", "--set", "model.d_model=32");
  tapehead("report", writeOddStudy(folder), "-o", "odd.html");
  tapehead("report", writeLongStudy(folder, 1000), "-o", "long.html");
  tapehead("report", "run", "odd", "-o", "both.html");
  browser = await launch();
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

async function assertDrawn(page) {
  const counts = await markCounts(page);
  assert.ok(counts.length > 0);
  assert.ok(counts.every((count) => count > 0), `marks of each chart: ${counts}`);
  assert.ok(await colourCount(page) > 20);
}

describe("the page of a run", () => {
  it("loads offline, with marks in every chart", async () => {
    const page = await open(browser, file("run/report.html"));
    await assertDrawn(page);
    assert.equal(await page.locator(".sample").count(), 6);
    await page.close();
  });

  it("shows the token and the weight under the pointer", async () => {
    const page = await open(browser, file("run/report.html"));
    const data = await mapData(page);
    const [layer, head] = data.chosen;
    const canvas = page.locator(mapCanvas);
    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.boundingBox();
    const seen = new Set();
    for (const [x, y] of [[0.3, 0.4], [0.5, 0.9], [0.9, 0.95], [0.2, 0.2]]) {
      await page.mouse.move(box.x + x * box.width, box.y + y * box.height);
      const said = await readout(page);
      assertTrue(said, data, data.steps.length - 1, layer, head);
      assert.equal(await page.locator("figure.map .tip").isVisible(), true);
      seen.add(`${said.query},${said.key}`);
    }
    assert.equal(seen.size, 4);
    assert.deepEqual(page.problems, []);
    await page.close();
  });

  it("shows another head when its picture is pressed", async () => {
    const page = await open(browser, file("run/report.html"));
    const data = await mapData(page);
    const before = await picture(page);
    const other = page.getByRole("button", { name: "layer 2, head 4" });
    await other.press("Enter");
    assert.equal(await other.getAttribute("aria-pressed"), "true");
    assert.notEqual(await picture(page), before);
    await page.locator(mapCanvas).press("ArrowDown");
    assertTrue(await readout(page), data, data.steps.length - 1, 1, 3);
    await page.close();
  });

  for (const colorScheme of ["light", "dark"]) {
    it(`fits a phone of 320 pixels, ${colorScheme}`, async () => {
      const page = await open(browser, file("both.html"), { viewport: { width: 320, height: 640 }, colorScheme });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 320, `${width} pixels wide`);
      await assertDrawn(page);
      await page.close();
    });
  }
});

describe("the page of a study", () => {
  it("shows labels as they are", async () => {
    const page = await open(browser, file("odd.html"));
    await assertDrawn(page);
    const data = await mapData(page);
    assert.deepEqual(data.queries, oddSymbols);
    assert.equal(await page.textContent("ul li"), "1 < 2 & 3 > 2.");
    assert.equal(await page.locator("b").count(), 0);
    assert.match(await page.textContent("figure.chart .legend"), /a <.*b &/s);
    await page.close();
  });

  it("changes the map as the slider is moved by the keyboard", async () => {
    const page = await open(browser, file("odd.html"));
    const data = await mapData(page);
    const [layer, head] = data.chosen;
    const slider = page.locator("figure.map input[type=range]");
    await page.locator(mapCanvas).press("ArrowDown");  // to the first weight
    for (let step = data.steps.length - 1; step >= 0; --step) {
      assert.equal(await page.textContent("figure.map output"), String(data.steps[step]));
      await page.locator(mapCanvas).press("ArrowDown");
      assertTrue(await readout(page), data, step, layer, head);
      const before = await picture(page);
      await slider.press("ArrowLeft");
      if (step > 0) assert.notEqual(await picture(page), before);
    }
    await page.close();
  });

  it("shows the darkest cell where the largest weight is", async () => {
    const page = await open(browser, file("odd.html"), { colorScheme: "light" });
    const place = await page.$eval(mapCanvas, (canvas) => {
      const { data, width } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      // Full colour is (13, 44, 110) in page.css; labels are grey.
      for (let i = 0; i < data.length; i += 4) {
        if (data[i] === 13 && data[i + 1] === 44 && data[i + 2] === 110) {
          return [(i / 4) % width, Math.floor(i / 4 / width)].map((at) => at / devicePixelRatio + 2);
        }
      }
      return null;
    });
    assert.ok(place);
    await page.locator(mapCanvas).hover({ position: { x: place[0], y: place[1] } });
    assert.equal((await readout(page)).weight, 1);
    await page.close();
  });

  it("is light on paper", async () => {
    const page = await open(browser, file("odd.html"), { colorScheme: "dark" });
    const dark = await picture(page);
    await page.emulateMedia({ media: "print" });
    await page.waitForFunction((before) => document.querySelector("figure.map .map-view canvas").toDataURL() !== before, dark);
    const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(paper, "rgb(255, 255, 255)");
    await page.close();
  });

  it("hides a series when its name is pressed, and can be logarithmic", async () => {
    const page = await open(browser, file("odd.html"));
    const chart = page.locator("figure.chart").first();
    const all = (await markCounts(page))[0];
    await chart.getByRole("button", { name: "b &" }).press("Enter");
    await page.waitForFunction((count) => document.querySelectorAll("figure.chart")[0]
      .querySelectorAll("svg .role-mark path, svg .role-mark line").length < count, all);
    await chart.getByRole("checkbox").check();
    await page.waitForFunction(() => /logarithmic|log scale/.test(
      document.querySelector("figure.chart .role-axis[aria-label*='Y-axis']").getAttribute("aria-label")));
    assert.deepEqual(page.problems, []);
    await page.close();
  });
});

describe("a page of 1000 tokens", () => {
  it("opens soon, and says what is under the pointer", async () => {
    const start = performance.now();
    const page = await open(browser, file("long.html"));
    assert.ok(performance.now() - start < 10000);
    const data = await mapData(page);
    const [layer, head] = data.chosen;
    const canvas = page.locator(mapCanvas);
    const hover = async () => {
      const { width, height } = await canvas.boundingBox();
      await canvas.hover({ position: { x: width * 0.6, y: height * 0.6 } });
      const said = await readout(page);
      assertTrue(said, data, 0, layer, head);
      return said;
    };
    const whole = await hover();
    assert.ok(whole.query > 400 && whole.query < 700);
    const before = await picture(page);
    await page.locator("figure.map select.zoom").selectOption("16");
    assert.notEqual(await picture(page), before);
    const near = await hover();
    assert.ok(Math.abs(near.query - whole.query) <= 1000 / 16);
    await canvas.press("ArrowRight");
    assert.equal((await readout(page)).key, near.key + 1);
    await page.close();
  });
});
