import { describe, expect, it } from 'vitest';
import { isChromiumHere } from '../support/chromium.ts';
import { compare, isFontHere, pictureOf } from '../support/pictures.ts';
import { pageNames, pagesOf, visitOfTests } from '../support/visit.ts';

/** Of all points. What a version of the browser draws otherwise is less, and a row or a card that is gone is more. */
const shareMax = 0.01;

/** Checkpoints are signed while the tests run: that page has another number of rows each time. */
const alike = pageNames.filter((name) => name !== 'audit');

const looks = [
  ...alike.map((name) => ({ name, width: 1280, colorScheme: 'light' as const })),
  ...(['a payment', 'books'] as const).map((name) => ({ name, width: 1280, colorScheme: 'dark' as const })),
  ...(['a payment', 'payments'] as const).map((name) => ({
    name,
    width: 360,
    colorScheme: 'light' as const,
  })),
];

describe.skipIf(!isChromiumHere || !isFontHere)('the console looks as it did', () => {
  const visit = visitOfTests();

  it.each(looks)('$name, $width points wide, $colorScheme', async ({ name, width, colorScheme }) => {
    const { go, filled, tab } = visit();
    const { page } = tab;
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const [path, seen] = pagesOf(filled)[name];
    // The log of requests and the checkpoints come a moment later.
    await expect
      .poll(async () => {
        await go(path);
        return page.locator('main').innerText();
      })
      .toContain(seen);
    const file = `${name.replaceAll(' ', '-')}-${width}-${colorScheme}`;
    const compared = compare(file, await pictureOf(page));
    expect(compared.share, `look at ${compared.seen}; DAYBOOK_PICTURES=keep keeps it`).toBeLessThan(shareMax);
  });
});
