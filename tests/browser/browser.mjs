// Chromium for the tests, without a network, and what they ask of a page.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export async function launch() {
  const root = process.getuid?.() === 0;  // whom Chromium's sandbox refuses
  return chromium.launch({ executablePath: process.env.CHROMIUM, args: root ? ["--no-sandbox"] : [] });
}

// Opens a file, waits until all is drawn, and fails if it asked for anything beyond itself or
// complained.
export async function open(browser, file, options = {}) {
  const context = await browser.newContext({ offline: true, viewport: { width: 1200, height: 900 }, ...options });
  const problems = [];
  await context.route("**/*", (route) => {
    const url = route.request().url();
    if (url.startsWith("file:")) return route.continue();
    problems.push(`asks for ${url}`);
    return route.abort();
  });
  const page = await context.newPage();
  page.on("console", (message) => problems.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(error.message));
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes", null, { timeout: 20000 });
  assert.deepEqual(problems, []);
  page.problems = problems;
  return page;
}

// For each chart, how many marks with a shape it has: lines, areas, rules, dots, bars.
export function markCounts(page) {
  return page.$$eval("figure.chart", (figures) => figures.map((figure) => {
    const marks = figure.querySelectorAll("svg .role-mark path, svg .role-mark line");
    return [...marks].filter((mark) => mark.localName === "line" || mark.getAttribute("d")).length;
  }));
}

// The weights of the page's map, decoded from its JSON: [step][layer][head](query, key).
export async function mapData(page, index = 0) {
  const maps = await page.$eval("#figures", (node, i) => JSON.parse(node.textContent).maps[i], index);
  const { queries, keys, heads } = maps;
  const steps = maps.weights.map((text) => {
    const bytes = Buffer.from(text, "base64");
    return (layer, head, query, key) =>
      bytes.readUInt16LE(2 * (((layer * heads + head) * queries.length + query) * keys.length + key)) / 65535;
  });
  return { ...maps, steps: maps.steps, weight: steps };
}

// What the map says of the weight at the cursor: positions from 0.
export async function readout(page) {
  const text = await page.textContent("figure.map .readout");
  const match = /^query (\d+) “(.*)” → key (\d+) “(.*)”: weight ([\d.e-]+)$/s.exec(text);
  assert.ok(match, `the readout is "${text}"`);
  const [, query, querySymbol, key, keySymbol, weight] = match;
  return { query: query - 1, querySymbol, key: key - 1, keySymbol, weight: Number(weight) };
}

// Fails unless the readout is what the data say of its cell.
export function assertTrue(said, data, step, layer, head) {
  assert.equal(said.querySymbol, data.queries[said.query]);
  assert.equal(said.keySymbol, data.keys[said.key]);
  const weight = data.weight[step](layer, head, said.query, said.key);
  assert.ok(Math.abs(said.weight - weight) <= 0.00006, `${said.weight} instead of ${weight}`);
}

export function picture(page) {
  return page.$eval("figure.map .map-view canvas", (canvas) => canvas.toDataURL());
}

// How many colours a screenshot has.
export async function colourCount(page) {
  const png = (await page.screenshot()).toString("base64");
  return page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
    return new Set(pixels).size;
  }, png);
}
