/** A flame graph as SVG. */

export type Frame = { readonly name: string; time: number; readonly children: Map<string, Frame> };

const width = 1_600;
const rowHeight = 17;
/** Narrower frames are left out, with all that stands on them. */
const narrowest = 1.5;
const characterWidth = 6.2;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A colour for each package, and one for what is ours. */
function colourOf(name: string): string {
  const where = name.slice(name.indexOf(' ') + 1);
  if (/\.ts$/.test(where)) return '#f2a65a';
  if (/^node |^$/.test(where) || !name.includes(' ')) return '#b8c4ce';
  const hue = [...where].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  return `hsl(${hue} 45% 75%)`;
}

type Placed = { readonly frame: Frame; readonly x: number; readonly depth: number };

function place(root: Frame): readonly Placed[] {
  const placed: Placed[] = [];
  const scale = width / root.time;
  const visit = (frame: Frame, x: number, depth: number) => {
    if (frame.time * scale < narrowest) return;
    placed.push({ frame, x, depth });
    let left = x;
    for (const child of [...frame.children.values()].toSorted((a, b) => b.time - a.time)) {
      visit(child, left, depth + 1);
      left += child.time * scale;
    }
  };
  visit(root, 0, 0);
  return placed;
}

export function drawFlames(root: Frame): string {
  const placed = place(root);
  const height = (Math.max(...placed.map(({ depth }) => depth)) + 1) * rowHeight;
  const boxes = placed.map(({ frame, x, depth }) => {
    const wide = (frame.time / root.time) * width;
    const percent = ((frame.time / root.time) * 100).toFixed(1);
    const label = frame.name.slice(0, Math.max(0, Math.floor((wide - 4) / characterWidth)));
    const y = height - (depth + 1) * rowHeight;
    const text =
      label.length > 2 ? `<text x="${(x + 2).toFixed(1)}" y="${y + 12}">${escaped(label)}</text>` : '';
    const size = `x="${x.toFixed(1)}" y="${y}" width="${Math.max(wide - 0.5, 0.5).toFixed(1)}" height="${rowHeight - 1}"`;
    return `<g><title>${escaped(frame.name)} ${percent} %</title><rect ${size} fill="${colourOf(frame.name)}"/>${text}</g>`;
  });
  const style = 'text { font: 10px monospace; fill: #222; }';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><title>${escaped(root.name)}</title><style>${style}</style>\n${boxes.join('\n')}\n</svg>\n`;
}
