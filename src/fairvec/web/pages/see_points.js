// Points as small squares of pixels that are stamped: the side by shape as well as by colour, and how far by strength.
const STEPS = [["--negative-6", "--negative-5", "--negative-4"], ["--positive-6", "--positive-5", "--positive-4"]];
export const ROLES = { x: "▲", y: "▼", a: "■", b: "◆" };
const ROLE_COLOURS = { x: "--positive", y: "--negative", a: "--positive", b: "--negative" };

// The colours of the page as it is now, light or dark.
export function colours(place) {
  const style = getComputedStyle(place);
  const of = (name) => style.getPropertyValue(name).trim();
  return { of, ink: of("--ink"), soft: of("--soft"), line: of("--line"), faint: of("--faint"), paper: of("--paper"), sans: of("--sans") };
}

// Seven stamps: away (squares, three strengths), neither (a dot), towards (circles, three strengths).
// Each is a small square of pixels, `side` wide, with the softness of its edge in the alpha of its colour.
export function stamps(page, ratio, size) {
  const side = Math.ceil((size + 1) * ratio);
  const shape = (name, draw) => {
    const one = document.createElement("canvas");
    one.width = one.height = side;
    const context = one.getContext("2d");
    context.scale(ratio, ratio);
    context.fillStyle = page.of(name);
    draw(context, side / ratio / 2);
    return new Uint32Array(context.getImageData(0, 0, side, side).data.buffer);
  };
  const square = (context, middle) => context.fillRect(middle - size * 0.42, middle - size * 0.42, size * 0.84, size * 0.84);
  const circle = (radius) => (context, middle) => { context.beginPath(); context.arc(middle, middle, radius, 0, 7); context.fill(); };
  const away = STEPS[0].map((name) => shape(name, square));
  const towards = STEPS[1].map((name) => shape(name, circle(size / 2)));
  return { side, shapes: [...away, shape("--grey-4", circle(size / 2.6)), ...towards.reverse()] };
}

// The leaning of the word in the middle: lists may be nearer to all words than others are, and only the rest tells.
export const middleOf = (leanings) => Float64Array.from(leanings).sort()[leanings.length >> 1] ?? 0;

// Which stamp each word has: how much more it leans than the middle word, measured against what a twentieth pass.
export function shades(leanings, count) {
  const chosen = new Uint8Array(count).fill(3);
  if (!leanings) return chosen;
  const middle = middleOf(leanings);
  const sizes = Float64Array.from(leanings, (lean) => Math.abs(lean - middle)).sort();
  const large = sizes[Math.floor(sizes.length * 0.95)] || 1;
  for (let i = 0; i < count; i++) {
    const strength = Math.abs(leanings[i] - middle) / large;
    const step = strength < 0.2 ? 0 : strength < 0.5 ? 1 : strength < 1 ? 2 : 3;
    chosen[i] = leanings[i] < middle ? 3 - step : 3 + step;
  }
  return chosen;
}

// Points drawn pixel by pixel into a layer of their own: twenty thousand in a few milliseconds, where as many
// calls of the canvas take ten times as long.
export class PointLayer {
  constructor() { this.canvas = document.createElement("canvas"); }

  // Where two points meet the later one is seen; a soft edge gives way to what is fuller.
  draw({ side, shapes }, shade, camera, x, y, ratio, wide, high) {
    if (this.canvas.width !== wide || this.canvas.height !== high || !this.image) {
      [this.canvas.width, this.canvas.height] = [wide, high];
      this.image = new ImageData(wide, high);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    const { pixels } = this, half = side / 2;
    pixels.fill(0);
    // The grey ones first, so that what leans lies on top.
    for (const grey of [true, false]) {
      for (let i = 0; i < x.length; i++) {
        if ((shade[i] === 3) !== grey) continue;
        const left = Math.round((camera.ox + camera.kx * x[i]) * ratio - half), top = Math.round((camera.oy - camera.ky * y[i]) * ratio - half);
        if (!(left >= 0 && top >= 0 && left + side <= wide && top + side <= high)) continue;
        const shape = shapes[shade[i]];
        for (let row = 0, from = 0, to = top * wide + left; row < side; row++, to += wide - side) {
          for (let column = 0; column < side; column++, from++, to++) if (shape[from] >>> 24 >= pixels[to] >>> 24) pixels[to] = shape[from] || pixels[to];
        }
      }
    }
    this.canvas.getContext("2d").putImageData(this.image, 0, 0);
    return this.canvas;
  }
}

// A word of the four lists: its own shape, outlined so that it stands out of any heap.
export function markPoint(context, page, role, sx, sy) {
  context.font = `16px ${page.sans}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineWidth = 4;
  context.strokeStyle = page.paper;
  context.strokeText(ROLES[role], sx, sy);
  context.fillStyle = page.of(ROLE_COLOURS[role]);
  context.fillText(ROLES[role], sx, sy);
}
