import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isChromiumHere } from '../support/chromium.ts';
import { hostileEndpoint } from '../support/filled.ts';
import { pageNames, pagesOf, visitOfTests } from '../support/visit.ts';

const axe = readFileSync(join(import.meta.dirname, '../../../node_modules/axe-core/axe.min.js'), 'utf8');

type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };

describe.skipIf(!isChromiumHere)('the pages of the console', () => {
  const visit = visitOfTests();

  describe.each(pageNames)('%s', (name) => {
    it('shows what the platform has, by a deep link', async () => {
      const { go, filled, tab } = visit();
      const [path, seen] = pagesOf(filled)[name];
      // The log of requests and the checkpoints come a moment later.
      await expect
        .poll(async () => {
          await go(path);
          return tab.page.locator('main').innerText();
        })
        .toContain(seen);
      expect(await tab.page.locator('.refusal').allInnerTexts()).toEqual([]);
    });

    it.each(['light', 'dark'] as const)('has nothing that axe finds, when it is %s', async (colorScheme) => {
      const { go, filled, tab } = visit();
      await tab.page.emulateMedia({ colorScheme });
      await go(pagesOf(filled)[name][0]);
      // By the debugger, which the policy of the page does not bind.
      await tab.page.evaluate(axe);
      const violations = (await tab.page.evaluate(
        "axe.run(document, { resultTypes: ['violations'] }).then((found) => found.violations)",
      )) as readonly Violation[];
      const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      expect(told).toEqual([]);
    });

    it('does not scroll sideways at 360 px', async () => {
      const { go, filled, tab } = visit();
      await tab.page.setViewportSize({ width: 360, height: 740 });
      await go(pagesOf(filled)[name][0]);
      expect(await tab.page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      await tab.page.setViewportSize({ width: 1280, height: 900 });
    });
  });

  it('take what people wrote as text, and ask no other host', () => {
    const { tab, origin } = visit();
    expect([...tab.hosts]).toEqual([new URL(origin).host]);
    expect(tab.problems).toEqual([]);
  });

  it('show text that looks like HTML as it was written', async () => {
    const { go, tab, filled, platform } = visit();
    const { client } = platform;
    await client.updatePlatformConfig({ body: { webhookEndpoint: hostileEndpoint } });
    const { data } = await client.listWebhookEvents({ query: { objectId: filled.quoted } });
    const [webhook = ''] = data.map(({ id }) => id);
    await client.redeliverWebhookEvent({ path: { webhookEventId: webhook } });
    const written = {
      '/agents': '<script>window.taken=1</script>',
      [`/find?id=${filled.customer.id}`]: '<script>window.taken=1</script>',
      '/payments': '<script>window.taken=1</script>',
      [`/payments/${filled.quoted}`]: '<script>window.taken=1</script>',
      '/webhooks': hostileEndpoint,
      [`/webhooks/${webhook}`]: '<script>window.taken=1</script>',
    };
    for (const [path, text] of Object.entries(written)) {
      await go(path);
      await expect.poll(() => tab.page.locator('main').innerText(), { message: path }).toContain(text);
      expect(await tab.page.locator('main img, main script').count()).toBe(0);
    }
    expect(await tab.page.evaluate('window.taken')).toBeUndefined();
    expect([...tab.hosts]).toEqual([new URL(visit().origin).host]);
  });
});
