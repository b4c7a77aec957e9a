/** Patterns of the OpenAPI document, as generators of code in many languages take them. */
import { expect, it } from 'vitest';
import { openApiDocument } from '../support/interface/interface.ts';

const found = new Set<string>();
JSON.stringify(openApiDocument, (key, value) => {
  if (key === 'pattern' && typeof value === 'string') found.add(value);
  return value;
});

it.each([...found])('%s means the same with and without the flag u', (pattern) => {
  expect(pattern).not.toMatch(/\\[pP]\{/);
  for (const flags of ['', 'u']) expect(() => new RegExp(pattern, flags)).not.toThrow();
});

it('texts are those without control characters', () => {
  const patterns = [...found].filter((pattern) => pattern.includes('u0000'));
  expect(patterns).toHaveLength(1);
  for (const flags of ['', 'u']) {
    const text = new RegExp(patterns[0] ?? '', flags);
    for (const name of ['Grace Hopper', 'Łucja Čapek', '{p}', '😀', '']) expect(name).toMatch(text);
    for (const name of ['a\u0000', 'a\nb', '\u0085']) expect(name).not.toMatch(text);
  }
});
