import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isChromiumHere } from '../support/chromium.ts';
import { compare, isFontHere, isKept, pictureOf } from '../support/pictures.ts';
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

const howTo = join(import.meta.dirname, '../../../docs/how-to/pictures/console-payment.png');

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

  it.runIf(isKept)('and a payment with a price is shown so in the how-to', async () => {
    const { filled, visitor, platform, origin } = visit();
    const { transactionId } = await platform.client.createQuote({
      body: {
        source: { sourceType: 'ACCOUNT', accountId: filled.accountId },
        destination: { destinationType: 'ACCOUNT', accountId: filled.payee },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 1_234_56,
        immediatelyExecute: true,
        description: 'January rent',
      },
    });
    const { page } = await visitor(platform);
    await page.setViewportSize({ width: 1280, height: 1000 });
    await page.goto(`${origin}/console/payments/${transactionId}`);
    await page.getByText('The payment arrived.', { exact: true }).waitFor();
    await page.screenshot({ path: howTo, animations: 'disabled' });
  });
});
