import { describe, expect, it } from 'vitest';
import { isChromiumHere, open, signIn } from '../support/chromium.ts';
import { visitOfTests } from '../support/visit.ts';

const most = 9_223_372_036_854_775_807n;
const mostOfDollars = '92,233,720,368,547,758.07';

describe.skipIf(!isChromiumHere)('who looks at the console', () => {
  const visit = visitOfTests();

  /** An account that holds as much as an account can, by a payment of it. */
  async function rich(): Promise<{ readonly account: string; readonly payment: string }> {
    const { client, baseUrl, clientId, clientSecret } = visit().platform;
    const { id: customerId } = await client.createCustomer({
      body: { customerType: 'INDIVIDUAL', region: 'US', currencies: ['USD'], fullName: 'Croesus of Lydia' },
    });
    const { data } = await client.listCustomerInternalAccounts({ query: { customerId, currency: 'USD' } });
    const account = data[0]?.id ?? '';
    const payer = await client.createCustomerExternalAccount({
      body: {
        customerId,
        currency: 'USD',
        accountInfo: {
          accountType: 'USD_ACCOUNT',
          accountNumber: '1234567789',
          routingNumber: '021000021',
          beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Croesus of Lydia' },
        },
      },
    });
    const answer = await fetch(`${baseUrl}/transfer-in`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: `{"source":{"accountId":"${payer.id}"},"destination":{"accountId":"${account}"},"amount":${most}}`,
    });
    const payment = /"id":"(Transaction:[^"]+)"/.exec(await answer.text())?.[1] ?? '';
    return { account, payment };
  }

  it('sees amounts exactly that no number of a browser holds', async () => {
    const { go, tab } = visit();
    const { account, payment } = await rich();
    const main = tab.page.locator('main');
    const seenAt = async (path: string, text: string) => {
      await expect
        .poll(async () => {
          await go(path);
          return main.innerText();
        })
        .toContain(text);
      expect(await tab.page.locator('.refusal').allInnerTexts()).toEqual([]);
    };
    await seenAt(`/payments/${payment}`, 'TransactionCompleted');
    expect(await tab.page.locator('.way svg').getAttribute('aria-label')).toContain(`${mostOfDollars} USD`);
    await tab.page.locator('details', { hasText: 'AccountCredited' }).locator('summary').click();
    expect(await tab.page.locator('details[open] pre').innerText()).toContain(`"amount": ${most}`);
    await seenAt(`/accounts/${account}`, `now ${mostOfDollars}`);
    expect(await tab.page.getByRole('row', { name: mostOfDollars }).count()).toBe(1);
    await seenAt('/payments', mostOfDollars);
    await seenAt('/accounts', mostOfDollars);
    await seenAt('/books', `−${mostOfDollars.slice(0, 6)}`);
  });

  it('keeps what it types into a filter while payments change, and its place', async () => {
    const { go, tab, filled } = visit();
    await go('/payments');
    const reference = tab.page.getByLabel('Reference');
    await reference.pressSequentially('half a refer');
    const payment = await filled.pay(7_07);
    await tab.page.getByRole('row', { name: payment.slice(-8) }).waitFor();
    expect(await reference.inputValue()).toBe('half a refer');
    await reference.fill('');
    await tab.page.getByLabel('Status').focus();
    await tab.page.keyboard.type('comp');
    await expect.poll(() => tab.page.url()).toContain('status=COMPLETED');
    expect(await tab.page.getByLabel('Status').evaluate('document.activeElement.name')).toBe('status');
    await tab.page.reload();
    await expect.poll(() => tab.page.getByLabel('Status').inputValue()).toBe('COMPLETED');
    await tab.page.getByLabel('Direction').selectOption('INCOMING');
    await expect.poll(() => tab.page.url()).toContain('type=INCOMING');
    await tab.page.goBack();
    await expect.poll(() => tab.page.getByLabel('Direction').inputValue()).toBe('');
    expect(await tab.page.getByLabel('Status').inputValue()).toBe('COMPLETED');
  });

  it('goes back from what it chose in the moment in which the page was there', async () => {
    const { browser, origin, platform } = visit();
    const { page } = await open(await browser.newContext());
    await signIn(page, origin, platform);
    // In the same task in which the form is put into the page, and so before the page is painted.
    await page.addInitScript(`new MutationObserver((_, observer) => {
      const field = document.querySelector('select[name="type"]');
      if (!field) return;
      observer.disconnect();
      field.value = 'INCOMING';
      field.dispatchEvent(new Event('change', { bubbles: true }));
    }).observe(document, { childList: true, subtree: true })`);
    await page.goto(`${origin}/console/payments`);
    const direction = page.getByLabel('Direction');
    await expect.poll(() => page.url()).toContain('type=INCOMING');
    expect(await direction.inputValue()).toBe('INCOMING');
    await page.goBack();
    await expect.poll(() => direction.inputValue()).toBe('');
  });

  it('is at the heading of a page that it goes to, whose title tells what it is', async () => {
    const { go, tab, filled } = visit();
    await tab.page.setViewportSize({ width: 1280, height: 300 });
    await go('/payments');
    const link = tab.page.getByRole('link', { name: filled.payment.slice(-8) });
    await link.focus();
    await tab.page.keyboard.press('Enter');
    await tab.page.getByRole('heading', { name: 'Timeline' }).waitFor();
    // A page is drawn before its heading is gone to, and its title is told.
    await expect
      .poll(() => tab.page.evaluate('document.activeElement.innerText'))
      .toContain(filled.payment.slice(-8));
    await expect.poll(() => tab.page.title()).toContain(filled.payment.slice(-8));
    await tab.page.evaluate('scrollTo(0, 600)');
    await tab.page.keyboard.type('gu');
    await tab.page.getByRole('heading', { name: 'Checkpoints' }).waitFor();
    await expect
      .poll(() => tab.page.evaluate('[scrollY, document.activeElement.innerText]'))
      .toEqual([0, 'Audit']);
    await tab.page.setViewportSize({ width: 1280, height: 900 });
  });

  it('is told once of a payment that is not there', async () => {
    const { go, tab } = visit();
    await go('/payments/Transaction:00000000-0000-4000-8000-000000000000');
    await tab.page.getByRole('alert').waitFor();
    expect(await tab.page.getByRole('alert').allInnerTexts()).toEqual([
      expect.stringContaining('TRANSACTION_NOT_FOUND'),
    ]);
  });

  it('sees and hears how long the service is waited for, and is told when it is in vain', async () => {
    const { go, tab } = visit();
    const { page } = tab;
    // Longer than what the page waits for before it asks anew.
    const later = { status: 503, code: 'SERVICE_UNAVAILABLE', message: 'Try again later.' };
    await page.route('**/console/health', (route) =>
      route.fulfill({ status: 503, headers: { 'retry-after': '6' }, json: later }),
    );
    await go('/payments');
    await page.keyboard.type('gh');
    const heard = page.getByRole('status').filter({ hasText: 'It is asked again in 6 seconds.' });
    await heard.waitFor();
    expect(await page.locator('.waiting').innerText()).toMatch(/asked again in [1-7] seconds?\./);
    await page.getByRole('alert').filter({ hasText: 'SERVICE_UNAVAILABLE' }).waitFor();
    await page.keyboard.type('ga');
    await page.locator('.waiting').waitFor({ state: 'detached' });
    expect(await heard.count()).toBe(0);
    await page.unroute('**/console/health');
  });

  it('filters by the days of its own clock', async () => {
    const { browser, origin, platform, filled } = visit();
    const { client } = platform;
    const { createdAt } = await client.getTransaction({ path: { transactionId: filled.payment } });
    for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const { page } = await open(await browser.newContext({ timezoneId }));
      await signIn(page, origin, platform);
      const day = new Date(createdAt).toLocaleDateString('sv-SE', { timeZone: timezoneId });
      await page.goto(`${origin}/console/payments?startDate=${day}&endDate=${day}&status=COMPLETED`);
      const row = page.getByRole('row', { name: filled.payment.slice(-8) });
      await row.waitFor();
      expect(await row.locator('time').innerText()).toContain(day);
    }
  });

  it('finds a customer by what the platform calls it, and what it has', async () => {
    const { go, tab, platform, filled } = visit();
    const name = `עדה לאבלייס 👩🏽‍💻 ${'x'.repeat(180)}`;
    const { client } = platform;
    await client.updateCustomer({
      path: { customerId: filled.customer.id },
      body: { customerType: 'INDIVIDUAL', fullName: name },
    });
    const main = tab.page.locator('main');
    await go('/customers');
    await tab.page.getByLabel('Your id').fill(filled.customer.platformCustomerId);
    await tab.page.keyboard.press('Enter');
    await expect.poll(() => main.locator('tbody tr').count()).toBe(1);
    const sideways =
      "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('main .scroll'))";
    expect(await tab.page.evaluate(sideways)).toBe(0);
    await main.locator('tbody a').click();
    await main.getByRole('heading', { name: 'Outside' }).waitFor();
    await expect.poll(() => main.innerText()).toContain(name);
    await main.getByLabel('What the customer holds').getByRole('link').first().waitFor();
    await main.getByLabel('Payments of the customer').getByRole('link').first().waitFor();
    const outside = main.getByLabel('Bank accounts and wallets').getByRole('link').first();
    await outside.click();
    await expect.poll(() => main.innerText()).toContain(filled.payee);
  });

  it('is led from a reference, which is no id, to its payment', async () => {
    const { go, tab, platform, filled } = visit();
    const path = { transactionId: filled.payment };
    const { reconciliationInstructions } = await platform.client.getTransaction({ path });
    await go('/webhooks');
    const search = tab.page.getByLabel('Search by any id');
    await search.fill(` ${reconciliationInstructions.reference} `);
    await search.press('Enter');
    await tab.page.getByRole('link', { name: 'payments with this reference' }).click();
    await tab.page.getByRole('row', { name: filled.payment.slice(-8) }).waitFor();
  });

  it('copies an id whole', async () => {
    const { browser, origin, platform, filled } = visit();
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = await open(context);
    await signIn(page, origin, platform);
    await page.goto(`${origin}/console/payments/${filled.payment}`);
    await page.getByRole('button', { name: `Copy ${filled.payment}` }).click();
    await page.getByText('copied', { exact: true }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(filled.payment);
  });

  it('sees in each tab whom it has signed in as in another', async () => {
    const { browser, origin, platform, daybook, filled } = visit();
    const context = await browser.newContext();
    const [{ page: first }, { page: second }] = [await open(context), await open(context)];
    await signIn(first, origin, platform);
    await first.getByRole('row', { name: filled.payment.slice(-8) }).waitFor();
    await second.goto(`${origin}/console`);
    await second.getByRole('button', { name: 'Sign out' }).click();
    await first.getByLabel('Client id').waitFor();
    await signIn(second, origin, await daybook.newPlatform());
    await first.getByText('No payments yet.').waitFor();
    const named = (page: typeof first) => page.locator('.who > span').first().innerText();
    expect(await named(first)).toBe(await named(second));
  });
});
