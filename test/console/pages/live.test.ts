import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lineTo } from '../../support/servers/line.ts';
import { isChromiumHere, open, signIn } from '../support/chromium.ts';
import { visitOfTests } from '../support/visit.ts';

const list = '**/transactions?**';
const nowhere = 'http://127.0.0.1:9';

/** As a browser tells a page that is behind another, or before it again. */
const showing = (isShown: boolean) => `
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${!isShown} });
  Object.defineProperty(document, 'visibilityState', {
    configurable: true, get: () => '${isShown ? 'visible' : 'hidden'}',
  });
  document.dispatchEvent(new Event('visibilitychange'));
`;
const statusOf = (page: Page) => page.locator('.row .status').first().innerText();

describe.skipIf(!isChromiumHere)('the payments of the console, as they change', () => {
  const visit = visitOfTests();

  /** Streams that the page has begun and not ended. */
  function streamsOf(page: Page) {
    const begun = new Set<unknown>();
    page.on('request', (request) => request.url().includes('/console/live') && begun.add(request));
    page.on('requestfailed', (request) => begun.delete(request));
    page.on('requestfinished', (request) => begun.delete(request));
    return begun;
  }

  it('are shown while many change and answers take their time, by few requests', async () => {
    const { visitor, platform, filled } = visit();
    const { page } = await visitor(platform);
    await page.getByText('live', { exact: true }).waitFor();
    const first = () => page.locator('tbody tr').first().innerText();
    const before = await first();
    let asked = 0;
    await page.route(list, async (route) => {
      asked += 1;
      await new Promise((resolve) => setTimeout(resolve, 250));
      await route.continue().catch(() => undefined);
    });
    let isPaying = true;
    let paid = 0;
    const payer = async () => {
      while (isPaying) {
        paid += 1;
        await filled.pay(100 + paid);
      }
    };
    const begunMs = performance.now();
    const payers = [payer(), payer(), payer(), payer()];
    await expect.poll(() => paid).toBeGreaterThan(40);
    await expect.poll(first, { timeout: 5_000 }).not.toBe(before);
    const seconds = (performance.now() - begunMs) / 1_000;
    const inTime = asked;
    isPaying = false;
    await Promise.all(payers);
    expect(inTime).toBeLessThan(2 * seconds + 5);
    const [newest] = (await platform.client.listTransactions({ query: { limit: 1 } })).data;
    await expect.poll(first).toContain(newest?.id.slice(-8));
  });

  it('are not followed while nobody sees the page, and are asked for again when somebody does', async () => {
    const { visitor, platform } = visit();
    const { page } = await visitor(platform);
    await page.getByText('live', { exact: true }).waitFor();
    await page.evaluate(showing(false));
    const streams = streamsOf(page);
    await page.reload();
    await page.getByText('live', { exact: true }).waitFor();
    expect(streams.size).toBe(1);
    await page.evaluate(showing(false));
    await expect.poll(() => streams.size).toBe(0);
    expect(await statusOf(page)).toBe('connecting');
    await Promise.all([page.waitForRequest(list, { timeout: 3_000 }), page.evaluate(showing(true))]);
    await page.getByText('live', { exact: true }).waitFor();
    expect(streams.size).toBe(1);
  });

  it('are not followed by a page that is opened behind another', async () => {
    const { browser, visitor, platform, origin } = visit();
    const { page } = await visitor(platform);
    const context = await browser.newContext({ storageState: await page.context().storageState() });
    await context.addInitScript(showing(false));
    const behind = await context.newPage();
    const streams = streamsOf(behind);
    await behind.goto(`${origin}/console/payments`);
    await behind.locator('tbody tr').first().waitFor();
    expect(streams.size).toBe(0);
    await Promise.all([behind.waitForRequest(list, { timeout: 3_000 }), behind.evaluate(showing(true))]);
    await behind.getByText('live', { exact: true }).waitFor();
  });

  it('are followed again after the stream broke, and asked for', async () => {
    const { browser, platform, origin } = visit();
    const line = await lineTo(origin);
    const { page } = await open(await browser.newContext());
    await signIn(page, new URL(line.url).origin, platform);
    await page.getByText('live', { exact: true }).waitFor();
    line.leadTo(nowhere);
    await page.getByText('interrupted, trying again', { exact: true }).waitFor();
    let isBack = false;
    page.on('response', (response) => {
      isBack ||= response.url().includes('/console/live');
    });
    const isAsked = page.waitForRequest((request) => isBack && request.url().includes('/transactions?'), {
      timeout: 6_000,
    });
    line.leadTo(origin);
    await isAsked;
    await page.getByText('live', { exact: true }).waitFor();
  });

  it('are asked for again when they are followed at last', async () => {
    const { visitor, platform } = visit();
    const { page } = await visitor(platform);
    await page.route('**/console/live?**', (route) => route.abort());
    await page.reload();
    await page.getByText('interrupted, trying again', { exact: true }).waitFor();
    await page.locator('tbody tr').first().waitFor();
    let isFollowed = false;
    page.on('response', (response) => {
      isFollowed ||= response.url().includes('/console/live');
    });
    const isAsked = page.waitForRequest((request) => isFollowed && request.url().includes('/transactions?'), {
      timeout: 6_000,
    });
    await page.unroute('**/console/live?**');
    await isAsked;
    expect(await statusOf(page)).toBe('live');
  });

  it('are said to be followed only where they are, and nothing waits for that', async () => {
    const { visitor, daybook } = visit();
    const platform = await daybook.newPlatform();
    const ending = new AbortController();
    onTestFinished(() => ending.abort());
    const query = { seconds: 60 };
    const { signal } = ending;
    const held = Array.from(
      { length: 10 },
      () =>
        new Promise<void>((onOpen, reject) => {
          const stream = platform.client.watchTransactions({ query, signal, onOpen });
          stream[Symbol.asyncIterator]()
            .next()
            .catch((error) => signal.aborted || reject(error));
        }),
    );
    await Promise.all(held);
    const { page } = await visitor(platform);
    await page.waitForResponse((response) => response.status() === 429);
    const seen = page.locator('.waiting').waitFor({ timeout: 3_000 });
    await expect(seen).rejects.toThrow('Timeout');
    expect(await statusOf(page)).not.toBe('live');
    ending.abort();
    await page.getByText('live', { exact: true }).waitFor();
  });
});
