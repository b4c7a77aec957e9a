/** That the documentation page can be read: its colours are far enough apart (WCAG 2.2, 1.4.3 and its formula). */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const least = 4.5;
const css = readFileSync(new URL('../../src/app/interface/docs.css', import.meta.url), 'utf8');
const rules = [...css.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([^{}]+)\{([^{}]+)\}/g)].map(
  ([, selector = '', body = '']) => ({ selector: selector.trim(), body }),
);
const coloured = rules.filter(({ body }) => /(^|\s)color: #/.test(body));

function luminance(hex: string): number {
  const digits = hex.length === 3 ? [...hex].map((digit) => digit + digit) : (hex.match(/../g) ?? []);
  const [r = 0, g = 0, b = 0] = digits.map((pair) => {
    const share = Number.parseInt(pair, 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

it('knows contrast', () => {
  expect(contrast('fff', '000')).toBeCloseTo(21);
  expect(contrast('ffffff', '49cc90')).toBeCloseTo(2.03, 1);
});

it.each(coloured)('can be read: $selector', ({ body }) => {
  const [text] = /(?<=(^|\s)color: #)[0-9a-f]+/.exec(body) ?? [''];
  const [ground] = /(?<=background-color: #)[0-9a-f]+/.exec(body) ?? [''];
  expect(contrast(text, ground)).toBeGreaterThanOrEqual(least);
});

it('has a colour for each method of the interface', () => {
  for (const method of ['get', 'post', 'put', 'patch', 'delete'])
    expect(coloured.some(({ selector }) => selector.includes(`opblock-${method} `))).toBe(true);
});
