/** Pictures of pages, and how much they differ from those that are kept. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';

const folder = join(import.meta.dirname, '../pictures');
const font = 'DejaVu Sans';

/** The pictures were taken with this font, so they are compared where it is. */
export const isFontHere = ((): boolean => {
  try {
    return execFileSync('fc-list', [':', 'family'], { encoding: 'utf8' }).includes(font);
  } catch {
    return false;
  }
})();
if (!isFontHere)
  process.stderr.write(
    `The pictures of the console were not compared: ${font} is missing (package fonts-dejavu-core).\n`,
  );

/** What differs from run to run has one look: moments, ids, hashes, counts of milliseconds; the plots, which are drawn of them. */
const sameEachTime = `
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(\`
    * { font-family: '${font}' !important; caret-color: transparent !important; transition: none !important; }
    canvas { visibility: hidden !important; }
  \`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const same = (text) => text
    .replace(/[A-Za-z0-9+/]{43}=|[0-9a-f]{64}/g, 'hash')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'uuid')
    .replace(/…[0-9a-f]{8}/g, '…id')
    .replace(/\\$[0-9a-f]+@/g, '$address@')
    .replace(/\\bp[0-9a-f]{8}\\b/g, 'platform')
    .replace(/\\b[A-Z]{2,3}-?[0-9A-F]{8,}\\b/g, 'reference')
    .replace(/\\b\\d+(?:\\.\\d+)? (?:ms|s|min|h|seconds?|minutes?)\\b/g, '0 s')
    .replace(/\\d+/g, '0');
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) node.data = same(node.data);
  for (const time of document.querySelectorAll('time')) time.textContent = 'a moment';
  for (const input of document.querySelectorAll('input')) {
    if (input.type === 'range') input.value = input.max;
    else if (input.type === 'text' || input.type === 'search') input.value = same(input.value);
    else if (input.type.startsWith('date')) input.style.color = 'transparent';
  }
  for (const meter of document.querySelectorAll('meter')) meter.value = meter.max / 2;
`;

/** What the window shows. */
export async function pictureOf(page: Page): Promise<Buffer> {
  await page.evaluate(sameEachTime);
  return page.screenshot({ animations: 'disabled', caret: 'hide' });
}

export type Compared = {
  /** Of all points, how many differ; 1 where the sizes do, or nothing is kept. */
  readonly share: number;
  /** Where the new picture and what differs were written. */
  readonly seen: string;
};

/** With `DAYBOOK_PICTURES=keep` what is seen is what is kept from now on. */
export const isKept = process.env.DAYBOOK_PICTURES === 'keep';

export function compare(name: string, taken: Buffer): Compared {
  const kept = join(folder, `${name}.png`);
  if (isKept) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(kept, taken);
  }
  const seen = join(folder, 'seen', `${name}.png`);
  if (!existsSync(kept)) return { share: 1, seen: keptAt(seen, taken) };
  const [before, now] = [PNG.sync.read(readFileSync(kept)), PNG.sync.read(taken)];
  const { width, height } = now;
  if (before.width !== width || before.height !== height) return { share: 1, seen: keptAt(seen, taken) };
  const difference = new PNG({ width, height });
  const points = pixelmatch(before.data, now.data, difference.data, width, height, { threshold: 0.2 });
  const share = points / (width * height);
  if (points > 0) {
    keptAt(seen, taken);
    keptAt(seen.replace('.png', '.difference.png'), PNG.sync.write(difference));
  }
  return { share, seen };
}

function keptAt(path: string, bytes: Buffer): string {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, bytes);
  return path;
}
