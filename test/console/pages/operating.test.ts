import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isChromiumHere } from '../support/chromium.ts';
import { visitOfTests } from '../support/visit.ts';

/** Refuses what it is sent until it is told otherwise. */
const receiver = { status: 500, server: undefined as Server | undefined, url: '' };

beforeAll(async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(receiver.status).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.server = server;
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/told`;
});
afterAll(() => void receiver.server?.close());

describe.skipIf(!isChromiumHere)('who operates a platform at the console', () => {
  const visit = visitOfTests();
  const button = (name: string) => visit().tab.page.getByRole('button', { name, exact: true });
  const card = (title: string) =>
    visit()
      .tab.page.locator('section.card')
      .filter({ has: visit().tab.page.getByRole('heading', { name: title, exact: true }) });

  it('sends a webhook again that the receiver had refused, and sees both attempts', async () => {
    const { go, tab, filled, platform } = visit();
    await platform.client.updatePlatformConfig({ body: { webhookEndpoint: receiver.url } });
    const payment = await filled.pay(20_00);
    const rows = tab.page.getByLabel('Webhook events, newest first').locator('tbody tr');
    await expect
      .poll(async () => {
        await go(`/webhooks?objectId=${encodeURIComponent(payment)}`);
        return rows.count();
      })
      .toBeGreaterThan(0);
    await rows.last().getByRole('link').first().click();
    await tab.page.getByRole('cell', { name: '500' }).first().waitFor();
    receiver.status = 204;
    await button('Send again').click();
    await tab.page.getByRole('cell', { name: '204' }).waitFor();
    await tab.page.getByText('delivered', { exact: true }).waitFor();
  });

  it('sends all since a moment again, and a test', async () => {
    const { go } = visit();
    await go('/webhooks');
    await button('Send all since then again').click();
    await expect.poll(() => card('Send again').getByRole('status').innerText()).toMatch(/^\d+ will be sent/);
    await button('Send a test').click();
    await expect
      .poll(() => card('Endpoint').getByRole('status').innerText())
      .toBe('The endpoint answered 204.');
  });

  it('rotates the keys of webhooks: the new one signs beside the old one', async () => {
    const { go, platform } = visit();
    const before = (await platform.client.getWebhookKeys()).data.map(({ id }) => id);
    await go('/webhooks');
    await expect.poll(() => card('Keys').locator('tbody tr').count()).toBe(before.length);
    await button('Rotate the keys').click();
    await expect.poll(() => card('Keys').locator('tbody tr').count()).toBeGreaterThan(before.length);
    const after = (await platform.client.getWebhookKeys()).data.map(({ id }) => id);
    expect(after).toEqual(expect.arrayContaining(before));
  });

  it('approves one action of an agent, and rejects another with a reason', async () => {
    const { go, tab, filled } = visit();
    const [approved, rejected] = [await filled.ask(1_200), await filled.ask(3_400)];
    await go('/agents');
    const waiting = (amount: string) => tab.page.locator('section.card section.card', { hasText: amount });
    await waiting('12.00').getByRole('button', { name: 'Approve' }).click();
    await waiting('12.00').waitFor({ state: 'detached' });
    await waiting('34.00').getByLabel('Reason for rejecting').fill('not this month');
    await waiting('34.00').getByRole('button', { name: 'Reject' }).click();
    await tab.page.getByText('Nothing waits.').waitFor();
    expect(await filled.stateOf(approved)).toBe('APPROVED');
    expect(await filled.stateOf(rejected)).toBe('REJECTED');
    await expect.poll(() => tab.page.getByLabel(/^Today/).getAttribute('aria-label')).toContain('12.00 USD');
  });

  it('sees to which payment address an agent wants to pay, and what arrives there', async () => {
    const { go, tab, filled, platform } = visit();
    const [agent] = (await platform.client.listAgents()).data;
    const permissions = ['CREATE_TRANSFERS' as const, 'CREATE_QUOTES' as const, 'EXECUTE_QUOTES' as const];
    await platform.client.updateAgentPolicy({ path: { agentId: agent?.id ?? '' }, body: { permissions } });
    await filled.askFor('$success.eur@sandbox.daybook.test', 5_600);
    await go('/agents');
    const waiting = tab.page.locator('section.card section.card', { hasText: '56.00' });
    await expect.poll(() => waiting.innerText()).toContain('$success.eur@sandbox.daybook.test');
    expect(await waiting.innerText()).toMatch(/Receives\s+\d+\.\d\d EUR/);
    await waiting.getByRole('button', { name: 'Reject' }).click();
    await tab.page.getByText('Nothing waits.').waitFor();
  });

  it('sees how much waits, and what is on the next page', async () => {
    const { go, tab, filled } = visit();
    for (let amount = 101; amount <= 121; amount += 1) await filled.ask(amount);
    await go('/agents');
    await tab.page.getByText('20 of 21', { exact: true }).waitFor();
    await tab.page.getByRole('button', { name: 'Next page' }).click();
    const oldest = tab.page.locator('section.card section.card', { hasText: '1.01' });
    await oldest.getByRole('button', { name: 'Reject' }).click();
    await tab.page.getByText('Nothing waits on this page.').waitFor();
    await tab.page.getByRole('button', { name: 'First page' }).click();
    await tab.page.getByText('20 of 20', { exact: true }).waitFor();
  });

  it.each([
    [{ currency: 'USD', amount: 10_000 }, 'At most 500.00 USD a payment, and approval above 100.00 USD.'],
    [
      { currency: 'EUR', amount: 10_000 },
      'At most 500.00 USD a payment, and approval above 10000 minor units of EUR.',
    ],
    [{ currency: 'EUR', amount: null }, 'At most 500.00 USD a payment.'],
  ])('sees above which amount an agent needs approval: %j', async (approvalThresholds, shown) => {
    const { go, tab, platform } = visit();
    const [agent] = (await platform.client.listAgents()).data;
    const path = { agentId: agent?.id ?? '' };
    await platform.client.updateAgentPolicy({ path, body: { approvalThresholds } });
    await go('/agents');
    await tab.page.getByText(shown, { exact: true }).waitFor();
  });

  it('plans a fault that the next request meets, and takes another back', async () => {
    const { go, tab, filled } = visit();
    await go('/sandbox');
    const form = tab.page.getByRole('form', { name: 'Plan a fault' });
    await form.getByLabel('Effect').selectOption('REFUSE');
    await form.getByLabel('Operation').fill('transferOut');
    await form.getByLabel('Code, where it refuses').fill('CONFLICT');
    await button('Plan').click();
    const row = card('Faults').getByRole('row', { name: 'CONFLICT' });
    await row.waitFor();
    await expect(filled.pay(1_00)).rejects.toThrow('CONFLICT');
    await go('/sandbox');
    await card('Faults').getByText('Nothing is planned').waitFor();
    await button('Plan').click();
    await button('Remove').click();
    await card('Faults').getByText('Nothing is planned').waitFor();
    await filled.ended(await filled.pay(3_00));
  });

  it('is told what is wrong with a fault that cannot be', async () => {
    const { go, tab } = visit();
    await go('/sandbox');
    await tab.page.getByRole('form', { name: 'Plan a fault' }).getByLabel('Operation').fill('tranferOut');
    await button('Plan').click();
    await expect.poll(() => tab.page.getByRole('alert').innerText()).toContain('the nearest is transferOut');
  });

  it('plans a webhook that comes twice for one account alone', async () => {
    const { go, tab, filled } = visit();
    await go('/sandbox');
    const form = tab.page.getByRole('form', { name: 'Plan a fault' });
    await form.getByLabel('Effect').selectOption('DUPLICATE_WEBHOOK');
    await form.getByLabel('Webhook').fill('OUTGOING_PAYMENT.COMPLETED');
    await form.getByLabel('Account').fill(filled.accountId);
    await button('Plan').click();
    await card('Faults').getByRole('row', { name: 'OUTGOING_PAYMENT.COMPLETED' }).waitFor();
    await button('Remove').click();
    await card('Faults').getByText('Nothing is planned').waitFor();
  });

  it('funds an account by its id, and is told of an amount that cannot be', async () => {
    const { go, tab, filled } = visit();
    await go('/sandbox');
    const form = tab.page.getByRole('form', { name: 'Fund an account' });
    await form.getByLabel('Account').fill(filled.accountId);
    await form.getByLabel('Amount').fill('1.001');
    await button('Fund').click();
    await expect.poll(() => form.getByRole('alert').innerText()).toContain('at most 2 decimals');
    await form.getByLabel('Amount').fill('2,000.00');
    await button('Fund').click();
    await expect.poll(() => card('Fund').getByRole('status').innerText()).toMatch(/It holds [\d,.]+ USD now/);
  });

  it('sees the books at a moment that the address keeps', async () => {
    const { go, tab } = visit();
    const held = () => tab.page.getByRole('row', { name: /^USD/ }).innerText();
    await go('/books?at=2020-01-01T00:00:00.000Z');
    await expect.poll(held).toMatch(/^USD\s+0\.00\s/);
    await tab.page.getByRole('slider').focus();
    await tab.page.keyboard.press('End');
    await expect.poll(held).not.toMatch(/^USD\s+0\.00\s/);
    expect(new URL(tab.page.url()).search).toBe('');
    await tab.page.getByLabel('Exactly at').fill('2020-01-01T00:00:00');
    await button('Show').click();
    await expect.poll(held).toMatch(/^USD\s+0\.00\s/);
    expect(new URL(tab.page.url()).searchParams.get('at')).toMatch(/^20(?:19|20)-/);
  });

  it('takes the clock to the next timer', async () => {
    const { go, tab, filled, platform } = visit();
    await go('/sandbox');
    await button('Freeze').click();
    await tab.page.getByText('frozen', { exact: true }).waitFor();
    const payment = await filled.pay(5_00);
    const statusOf = async () =>
      (await platform.client.getTransaction({ path: { transactionId: payment } })).status;
    expect(await statusOf()).not.toBe('COMPLETED');
    await button('To the next timer').click();
    await expect.poll(statusOf).toBe('COMPLETED');
    await button('Resume').click();
    await tab.page.getByText('running', { exact: true }).waitFor();
  });

  it('reads the mail with a one-time code', async () => {
    const { go, tab, filled } = visit();
    const to = filled.mail;
    await expect
      .poll(async () => {
        await go('/sandbox');
        return card('Mails and one-time codes').innerText();
      })
      .toContain(to);
    const mail = tab.page.getByRole('row', { name: to }).first();
    expect(await mail.locator('pre').innerText()).toMatch(/\b\d{6}\b/);
  });

  it('approves an incoming payment that waits', async () => {
    const { go, tab, filled, platform } = visit();
    await platform.client.updatePlatformConfig({ body: { webhookEndpoint: receiver.url } });
    // The platform decides later.
    receiver.status = 202;
    const id = await filled.receive();
    await go(`/payments/${id}`);
    await button('Approve').click();
    await expect.poll(() => tab.page.locator('.row .status').first().innerText()).toBe('completed');
    await button('Approve').waitFor({ state: 'detached' });
  });

  it('sees the raw events of a payment and its accounts, and verifies one of each', async () => {
    const { go, tab, filled } = visit();
    for (const type of ['TransferCreated', 'AccountDebited']) {
      await expect
        .poll(async () => {
          await go(`/payments/${filled.payment}`);
          const event = tab.page.locator('details', { hasText: type });
          await event.locator('summary').click();
          expect(await event.locator('pre').innerText()).toContain(filled.payment);
          await event.getByRole('link', { name: 'Verify in the log' }).click();
          await tab.page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
          await tab.page.getByText('Loading…').first().waitFor({ state: 'hidden' });
          return tab.page.locator('main').innerText();
        })
        .toContain('leads to the root of the checkpoint');
      const file = tab.page.getByRole('link', { name: 'Keep the proof as a file' });
      const [kept] = await Promise.all([tab.page.waitForEvent('download'), file.click()]);
      expect(kept.suggestedFilename()).toMatch(/^proof-\d+-of-\d+\.json$/);
    }
  });
});
