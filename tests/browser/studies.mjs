// Studies made by hand, as tapehead writes them.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const oddSymbols = ["<", "&", "\"", "'", "</script>", "<b>bold</b>", "é", "\\n", "{{x}}", "␣"];

// Two heads that look back `head` tokens, the more sharply the later the step.
function lookingBack(symbols, steps) {
  const n = symbols.length;
  const weights = steps.map((_, step) => {
    const all = [];
    for (let head = 0; head < 2; ++head) {
      for (let query = 0; query < n; ++query) {
        const at = Math.max(0, query - head);
        for (let key = 0; key < n; ++key) {
          const sharp = 0.5 + 0.5 * (step + 1) / steps.length;
          all.push(key === at ? sharp : key === 0 ? 1 - sharp : 0);
        }
      }
    }
    return all;
  });
  return { name: "maps", title: "Attention & <more>", queries: symbols, keys: symbols,
    layers: ["blocks.0.attention"], heads: 2, steps, weights };
}

const near = (y) => [y * 0.9, y * 1.1];

function charts() {
  const xs = [1, 2, 4, 8];
  const line = (name, f) => ({ name, points: xs.map((x) => [x, f(x), ...near(f(x))]) });
  const base = { x_label: "x <&>", y_label: "y \"'", log_x: false, log_y: false, categories: [] };
  const many = Array.from({ length: 20 }, (_, i) => ({ name: `layer 1, head ${i + 1}`, points: xs.map((x) => [x, x + i, null, null]) }));
  const long = Array.from({ length: 300 }, (_, i) => [i, 1 + Math.sin(i), Math.sin(i), 2 + Math.sin(i)]);
  return [
    { ...base, name: "lines", title: "Lines </script>", series: [line("a <", (x) => x), line("b &", (x) => 9 - x)] },
    { ...base, name: "logs", title: "Logarithmic", log_x: true, log_y: true, series: [line("a", (x) => 10 ** -x)] },
    { ...base, name: "bars", title: "Bars", categories: ["<one>", "two", "three", "four"],
      series: [0, 1].map((s) => ({ name: `s${s}`, points: xs.map((_, i) => [i, i + s + 1, i + s, i + s + 2]) })) },
    { ...base, name: "heads", title: "Many series", series: many },
    { ...base, name: "band", title: "A band", series: [{ name: "long", points: long }] },
  ];
}

function writeStudy(folder, name, maps, shownCharts) {
  const study = {
    study: name, question: "What do <tags> & \"quotes\" do?", settings: "Nothing was varied.", quick: false,
    seeds: [1, 2, 3], findings: ["1 < 2 & 3 > 2."], limits: "All else.",
    rows: [{ kind: "<a>", y: { mean: 1, se: 0.1, q10: 0.5, median: 1, q90: 1.5 } }],
    tables: [{ name: "rows", title: "Numbers", columns: ["kind", "y"] }], charts: shownCharts, maps: [maps],
  };
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, "study.json"), JSON.stringify(study));
  return path;
}

export const writeOddStudy = (folder) => writeStudy(folder, "odd", lookingBack(oddSymbols, [0, 50, 100]), charts());

export function writeLongStudy(folder, length) {
  const symbols = Array.from({ length }, (_, i) => `t${i}`);
  return writeStudy(folder, "long", lookingBack(symbols, [100]), []);
}
