// What moves in a report: charts by Vega-Lite; attention maps are in attention.js. The page's texts
// and tables stand in its HTML.
"use strict";

const figures = JSON.parse(document.getElementById("figures").textContent);

function element(name, properties = {}, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

// --- charts ---

const seriesCount = 8;  // colours in page.css
const dashes = [[], [6, 3], [2, 3], [8, 3, 2, 3]];

// The colours of labels, lines and tooltips are set in page.css.
const tooltip = { theme: "page" };

function chartTheme() {
  const style = getComputedStyle(document.documentElement);
  const colours = Array.from({ length: seriesCount }, (_, i) => style.getPropertyValue(`--series-${i}`).trim());
  return {
    background: "transparent",
    font: getComputedStyle(document.body).fontFamily,  // which Vega measures
    range: { category: colours },
    view: { stroke: null },
    axis: { labelFontSize: 12, titleFontSize: 12, titleFontWeight: 500, titlePadding: 8, tickSize: 4, labelLimit: 140 },
  };
}

function swatch(index) {
  const dash = dashes[Math.floor(index / seriesCount) % dashes.length].join(" ");
  const holder = document.createElement("span");
  holder.innerHTML =
    `<svg width="22" height="8" aria-hidden="true"><path d="M0 4h22" stroke="var(--series-${index % seriesCount})"` +
    ` stroke-width="3" stroke-dasharray="${dash}"/></svg>`;
  return holder.firstChild;
}

// The names of the series; a press hides or shows one.
function legendOf(names, changed) {
  const hidden = new Set();
  const items = names.map((name, i) => {
    const button = element("button", { type: "button" }, swatch(i), name);
    button.setAttribute("aria-pressed", "true");
    button.addEventListener("click", () => {
      if (!hidden.delete(name)) hidden.add(name);
      button.setAttribute("aria-pressed", String(!hidden.has(name)));
      changed([...hidden]);
    });
    return element("li", {}, button);
  });
  return element("ul", { className: "legend" }, ...items);
}

async function drawChart(figure) {
  const { spec, series, logTicks } = figures.charts[Number(figure.dataset.chart)];
  const plot = figure.querySelector(".plot");
  let hidden = [];
  let view = null;
  const draw = async () => {
    view?.finalize();
    const options = { mode: "vega-lite", renderer: "svg", actions: false, config: chartTheme(), tooltip };
    view = (await vegaEmbed(plot, spec, options)).view;
    if (hidden.length > 0) await view.signal("hidden", hidden).runAsync();
  };
  if (series.length > 1) {
    plot.before(legendOf(series, (names) => {
      hidden = names;
      view.signal("hidden", hidden).runAsync();
    }));
  }
  if (logTicks) {
    const box = element("input", { type: "checkbox" });
    box.addEventListener("change", () => {
      for (const { encoding: { y } } of spec.layer) {
        y.scale = box.checked ? { type: "log" } : { type: "linear", zero: false };
        y.axis.values = box.checked ? logTicks : undefined;
      }
      draw();
    });
    plot.after(element("div", { className: "options" }, element("label", {}, box, "logarithmic")));
  }
  await draw();
}

async function drawCharts() {
  const nodes = [...document.querySelectorAll("figure.chart")];
  if (nodes.length > 0 && typeof vegaEmbed === "undefined") {
    document.getElementById("no-charts").hidden = false;
    return;
  }
  for (const node of nodes) await drawChart(node);
}

for (const figure of document.querySelectorAll("figure.map")) new AttentionMap(figure);
drawCharts().then(() => { document.documentElement.dataset.ready = "yes"; });
