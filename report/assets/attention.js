// Attention maps: heat maps on a canvas, of any recorded step, layer and head.
"use strict";

const colourMedia = [matchMedia("(prefers-color-scheme: dark)"), matchMedia("print")];

// Weights are sent as 16-bit whole numbers, little-endian, in base64.
function decodeWeights(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Uint16Array(bytes.buffer);
}
const fullWeight = 65535;

const shades = {
  weight: (w) => w,
  row: (w, largest) => (largest > 0 ? w / largest : 0),
  log: (w) => (w > 1e-4 ? 1 + Math.log10(w) / 4 : 0),
};

// What the darkest and the lightest colour stand for.
const shadeEnds = { weight: ["0", "1"], row: ["0", "row’s largest"], log: ["0.0001", "1"] };

// The next of 1, 2, 5, 10, 20, ...
function roundNumber(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((digit) => digit * power).find((n) => n >= least && n >= 1) ?? 1;
}

// 256 colours from the style sheet's three.
function colourTable() {
  const style = getComputedStyle(document.documentElement);
  const stops = ["--map-none", "--map-some", "--map-full"].map((name) =>
    style.getPropertyValue(name).trim().split(/\s+/).map(Number));
  return Array.from({ length: 256 }, (_, i) => {
    const at = (i / 255) * 2;
    const low = Math.min(1, Math.floor(at));
    return stops[low].map((c, channel) => c + (stops[low + 1][channel] - c) * (at - low));
  });
}

// Paints rows [q0, q1) and columns [k0, k1) of a head into a picture of at most `most` pixels a
// side; where cells are smaller than pixels, a pixel shows the largest of its weights.
function paint(canvas, weights, keys, [q0, q1, k0, k1], most, shade, table) {
  const height = Math.min(q1 - q0, most);
  const width = Math.min(k1 - k0, most);
  const values = new Float32Array(width * height);
  for (let q = q0; q < q1; ++q) {
    const row = weights.subarray(q * keys, (q + 1) * keys);
    let largest = 0;
    if (shade === shades.row) for (const w of row) largest = Math.max(largest, w / fullWeight);
    const line = Math.floor(((q - q0) * height) / (q1 - q0)) * width;
    for (let k = k0; k < k1; ++k) {
      const at = line + Math.floor(((k - k0) * width) / (k1 - k0));
      const value = shade(row[k] / fullWeight, largest);
      if (value > values[at]) values[at] = value;
    }
  }
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  const image = context.createImageData(width, height);
  values.forEach((value, i) => {
    const [r, g, b] = table[Math.min(255, Math.round(value * 255))];
    image.data.set([r, g, b, 255], i * 4);
  });
  context.putImageData(image, 0, 0);
}

class AttentionMap {
  constructor(figure) {
    this.figure = figure;
    this.maps = figures.maps[Number(figure.dataset.map)];
    this.canvas = figure.querySelector(".map-view canvas");
    this.picture = document.createElement("canvas");
    this.readout = figure.querySelector(".readout");
    this.tip = figure.querySelector(".tip");
    this.step = this.maps.steps.length - 1;
    [this.layer, this.head] = this.maps.chosen;
    this.shade = shades.weight;
    this.zoom = 1;
    this.cursor = null;  // [query, key]
    this.centre = [0, 0];
    this.addHeads();
    this.listen();
    this.load();
    new ResizeObserver(() => this.drawMap()).observe(figure.querySelector(".map-view"));
  }

  get queryCount() { return this.maps.queries.length; }
  get keyCount() { return this.maps.keys.length; }

  headWeights(layer, head) {
    const size = this.queryCount * this.keyCount;
    const first = (layer * this.maps.heads + head) * size;
    return this.weights.subarray(first, first + size);
  }

  addHeads() {
    this.buttons = [];
    const panel = this.figure.querySelector(".heads");
    this.maps.layers.forEach((name, layer) => {
      const row = element("div", { className: "heads-layer" }, element("span", { title: name }, `layer ${layer + 1}`));
      for (let head = 0; head < this.maps.heads; ++head) {
        const canvas = document.createElement("canvas");
        const button = element("button", { type: "button" }, canvas, `head ${head + 1}`);
        button.setAttribute("aria-label", `layer ${layer + 1}, head ${head + 1}`);
        button.addEventListener("click", () => {
          [this.layer, this.head] = [layer, head];
          this.draw();
        });
        this.buttons.push({ button, canvas, layer, head });
        row.append(button);
      }
      panel.append(row);
    });
  }

  listen() {
    const slider = this.figure.querySelector("input[type=range]");
    slider?.addEventListener("input", () => {
      this.step = Number(slider.value);
      this.load();
    });
    const shade = this.figure.querySelector("select.shade");
    shade.addEventListener("change", () => {
      this.shade = shades[shade.value];
      const ends = this.figure.querySelectorAll(".ends");
      shadeEnds[shade.value].forEach((text, i) => { ends[i].textContent = text; });
      this.draw();
    });
    const zoom = this.figure.querySelector("select.zoom");
    zoom?.addEventListener("change", () => {
      this.zoom = Number(zoom.value);
      if (this.cursor) this.centre = this.cursor;
      this.draw();
    });
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.addEventListener("pointerdown", (event) => this.point(event));
    this.canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    this.canvas.addEventListener("keydown", (event) => this.press(event));
    // The colours change with the scheme, and paper is light.
    for (const media of colourMedia) media.addEventListener("change", () => this.draw());
  }

  // Decodes the chosen step's weights and shows them.
  load() {
    this.weights = decodeWeights(this.maps.weights[this.step]);
    const output = this.figure.querySelector("output");
    const slider = this.figure.querySelector("input[type=range]");
    if (output) output.textContent = this.maps.steps[this.step];
    slider?.setAttribute("aria-valuetext", `after step ${this.maps.steps[this.step]}`);
    this.draw();
  }

  draw() {
    this.table = colourTable();
    for (const { button, canvas, layer, head } of this.buttons) {
      button.setAttribute("aria-pressed", String(layer === this.layer && head === this.head));
      paint(canvas, this.headWeights(layer, head), this.keyCount,
        [0, this.queryCount, 0, this.keyCount], 64, this.shade, this.table);
    }
    this.drawMap();
  }

  // First and one past the last shown query and key.
  visible() {
    const range = (count, centre) => {
      const size = Math.ceil(count / this.zoom);
      const first = Math.min(Math.max(0, centre - Math.floor(size / 2)), count - size);
      return [first, first + size];
    };
    return [...range(this.queryCount, this.centre[0]), ...range(this.keyCount, this.centre[1])];
  }

  // Where the cells are, in CSS pixels.
  layout(context, [q0, q1, k0, k1]) {
    const widest = (symbols) => Math.min(96, Math.max(...symbols.map((s) => context.measureText(s).width), 10));
    const room = Math.min(this.canvas.parentElement.clientWidth, 760);
    const most = 26, largestSide = 640, readable = 11;
    const queries = this.maps.queries.slice(q0, q1), keys = this.maps.keys.slice(k0, k1);
    const left = widest(queries) + 10, top = widest(keys) + 10;
    const labelled = Math.min(most, (room - left) / (k1 - k0), largestSide / (q1 - q0));
    if (labelled >= readable) return { left, top, cell: labelled, labels: true };
    const numbers = 44;
    const cell = Math.min(most, (room - numbers) / (k1 - k0), largestSide / (q1 - q0));
    return { left: numbers, top: 24, cell, labels: false };
  }

  drawMap() {
    const context = this.canvas.getContext("2d");
    const font = `12px ${getComputedStyle(document.body).fontFamily}`;
    context.font = font;
    this.view = this.visible();
    const [q0, q1, k0, k1] = this.view;
    this.place = this.layout(context, this.view);
    const { left, top, cell } = this.place;
    const width = (k1 - k0) * cell, height = (q1 - q0) * cell;
    const ratio = devicePixelRatio || 1;
    this.canvas.width = Math.ceil((left + width + 1) * ratio);
    this.canvas.height = Math.ceil((top + height + 1) * ratio);
    this.canvas.style.width = `${this.canvas.width / ratio}px`;
    context.scale(ratio, ratio);
    context.font = font;
    context.imageSmoothingEnabled = false;
    paint(this.picture, this.headWeights(this.layer, this.head), this.keyCount, this.view,
      Math.ceil(Math.max(width, height) * ratio), this.shade, this.table);
    context.drawImage(this.picture, left, top, width, height);
    const style = getComputedStyle(document.documentElement);
    context.strokeStyle = style.getPropertyValue("--line");
    context.strokeRect(left, top, width, height);
    this.drawLabels(context, style);
    this.drawCursor(context, style);
  }

  drawLabels(context, style) {
    const [q0, q1, k0, k1] = this.view;
    const { left, top, cell, labels } = this.place;
    const every = labels ? 1 : roundNumber(48 / cell);
    const colour = (mine) => style.getPropertyValue(mine ? "--ink" : "--soft");
    context.textBaseline = "middle";
    for (let q = q0; q < q1; ++q) {
      if ((q + 1) % every !== 0) continue;
      context.textAlign = "right";
      context.fillStyle = colour(q === this.cursor?.[0]);
      context.fillText(labels ? this.maps.queries[q] : q + 1, left - 6, top + (q - q0 + 0.5) * cell, left - 8);
    }
    for (let k = k0; k < k1; ++k) {
      if ((k + 1) % every !== 0) continue;
      context.fillStyle = colour(k === this.cursor?.[1]);
      context.save();
      context.translate(left + (k - k0 + 0.5) * cell, top - 6);
      if (labels) context.rotate(-Math.PI / 2);
      context.textAlign = labels ? "left" : "center";
      context.fillText(labels ? this.maps.keys[k] : k + 1, 0, labels ? 0 : -5, labels ? top - 8 : 60);
      context.restore();
    }
  }

  drawCursor(context, style) {
    if (!this.cursor) return;
    const [q0, q1, k0, k1] = this.view;
    const [q, k] = this.cursor;
    if (q < q0 || q >= q1 || k < k0 || k >= k1) return;
    const { left, top, cell } = this.place;
    const size = Math.max(cell, 5);
    context.lineWidth = 2;
    context.strokeStyle = style.getPropertyValue("--series-1");
    context.strokeRect(left + (k - k0 + 0.5) * cell - size / 2, top + (q - q0 + 0.5) * cell - size / 2, size, size);
  }

  // What stands at the cursor, in words.
  describe() {
    const [q, k] = this.cursor;
    const number = this.headWeights(this.layer, this.head)[q * this.keyCount + k] / fullWeight;
    const weight = number === 0 || number >= 0.001 ? number.toFixed(4) : number.toExponential(1);
    return `query ${q + 1} “${this.maps.queries[q]}” → key ${k + 1} “${this.maps.keys[k]}”: weight ${weight}`;
  }

  moveTo(query, key) {
    this.cursor = [query, key];
    const [q0, q1, k0, k1] = this.visible();
    if (query < q0 || query >= q1 || key < k0 || key >= k1) this.centre = this.cursor;
    this.drawMap();
    this.readout.textContent = this.describe();
  }

  point(event) {
    const [q0, q1, k0, k1] = this.view;
    const { left, top, cell } = this.place;
    const query = q0 + Math.floor((event.offsetY - top) / cell);
    const key = k0 + Math.floor((event.offsetX - left) / cell);
    this.tip.hidden = query < q0 || query >= q1 || key < k0 || key >= k1;
    if (this.tip.hidden) return;
    this.moveTo(query, key);
    this.tip.textContent = this.describe().replace(": ", "\n");
    const room = this.canvas.parentElement.clientWidth - this.tip.offsetWidth;
    this.tip.style.left = `${Math.max(0, Math.min(event.offsetX + 14, room))}px`;
    this.tip.style.top = `${event.offsetY + 18}px`;
  }

  press(event) {
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    this.tip.hidden = true;
    const [q, k] = this.cursor ? this.cursor.map((at, i) => at + move[i]) : [0, 0];
    const within = (at, count) => Math.min(Math.max(0, at), count - 1);
    this.moveTo(within(q, this.queryCount), within(k, this.keyCount));
  }
}
