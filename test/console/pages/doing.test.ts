import { describe, expect, it } from 'vitest';
import { isChromiumHere, open, signIn } from '../support/chromium.ts';
import { visitOfTests } from '../support/visit.ts';

describe.skipIf(!isChromiumHere)('a person at the console', () => {
  const visit = visitOfTests();

  it('sees a payment from POST to COMPLETED without doing anything', async () => {
    const { go, tab, filled } = visit();
    await go('/payments');
    await tab.page.getByText('live', { exact: true }).waitFor();
    const id = await filled.pay(7_654_3);
    const row = tab.page.locator('tr', { hasText: '765.43' });
    await row.waitFor();
    await row.getByRole('link').first().click();
    await tab.page.locator('h1', { hasText: id.slice(-8) }).waitFor();
    await expect.poll(() => tab.page.locator('.row .status').first().innerText()).toBe('completed');
    await expect.poll(() => tab.page.locator('.timeline').innerText()).toContain('TransactionCompleted');
  });

  it("sees the money's way from the account to the rail", async () => {
    const { go, tab, filled } = visit();
    await go(`/payments/${filled.payment}`);
    const way = await tab.page.getByRole('img').getAttribute('aria-label');
    expect(way).toContain('1,234.56 USD from InternalAccount');
    expect(way).toContain('1,234.56 USD from in-flight to rail');
    await go(`/payments/${filled.quoted}`);
    const quoted = await tab.page.getByRole('img').getAttribute('aria-label');
    for (const part of ['2.50 USD from in-flight to fees', '397.50 USD from fx to rail'])
      expect(quoted).toContain(part);
  });

  it('goes by keys: to pages, to the search, to the help and back', async () => {
    const { go, tab } = visit();
    const { page } = tab;
    await go('/payments');
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/accounts');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('/');
    await page.keyboard.type('g p');
    expect(await page.getByLabel('Search by any id').inputValue()).toBe('g p');
    await page.goBack();
    await page.getByRole('heading', { name: 'Payments', level: 1 }).waitFor();
  });

  it('finds a payment by its id, and is told of one that is not there', async () => {
    const { go, tab, filled } = visit();
    await go('/accounts');
    const search = tab.page.getByLabel('Search by any id');
    await search.fill(filled.payment.replace('Transaction:', ''));
    await search.press('Enter');
    await tab.page.locator('h1', { hasText: filled.payment.slice(-8) }).waitFor();
    await search.fill('nothing-of-the-kind');
    await search.press('Enter');
    await tab.page.getByRole('alert').waitFor();
    expect(await tab.page.getByRole('alert').innerText()).toContain('REFERENCE_NOT_FOUND');
  });

  it('gets a refused request as curl', async () => {
    const { go, tab } = visit();
    await go('/requests?search=INSUFFICIENT_BALANCE');
    await tab.page.locator('tbody a').first().click();
    await tab.page.getByRole('button', { name: 'Copy as curl' }).click();
    const shown = tab.page.getByLabel('curl', { exact: true });
    await shown.waitFor();
    expect(await shown.innerText()).toMatch(/^curl -X POST '.*transfer-out'/);
    await tab.page.getByText('Nothing is done twice until 24 hours after').waitFor();
  });

  it('funds an account, and sees the balance', async () => {
    const { go, tab, filled } = visit();
    await go(`/accounts/${filled.accountId}`);
    await tab.page.getByLabel('Amount in USD').fill('1,000.05');
    await tab.page.getByRole('button', { name: 'Fund' }).click();
    await tab.page.getByRole('row', { name: '1,000.05' }).waitFor();
  });

  it('is told where an amount may mean another, and funds nothing', async () => {
    const { go, tab, filled } = visit();
    await go(`/accounts/${filled.accountId}`);
    const form = tab.page.getByRole('form', { name: 'Fund the account' });
    await form.getByLabel('Amount in USD').fill('1,50');
    await form.getByRole('button', { name: 'Fund' }).click();
    await expect.poll(() => form.getByRole('alert').innerText()).toContain('like 1,000.00');
  });

  it('freezes the clock, and lets it go on', async () => {
    const { go, tab } = visit();
    await go('/sandbox');
    await tab.page.getByRole('button', { name: 'Freeze' }).click();
    await tab.page.getByText('frozen', { exact: true }).waitFor();
    await tab.page.getByRole('button', { name: 'Resume' }).click();
    await tab.page.getByText('running', { exact: true }).waitFor();
  });

  it('sees no button that the token may not press', async () => {
    const { visitor, platform, filled, origin } = visit();
    const { clientId = '', clientSecret = '' } = await platform.client.createToken({
      body: { name: 'Looks only', permissions: ['VIEW'] },
    });
    const { page } = await visitor({ clientId, clientSecret });
    for (const path of ['/sandbox', '/webhooks', '/agents', `/accounts/${filled.accountId}`]) {
      await page.goto(`${origin}/console${path}`);
      await page.locator('main table').first().waitFor();
      const buttons = await page.locator('main button').allInnerTexts();
      expect(buttons.filter((name) => !/^(?:Copy|Filter|Search|First page|Next page)$/.test(name))).toEqual(
        [],
      );
    }
  });

  it('is told that the credentials are wrong, and signs out for good', async () => {
    const { browser, origin, platform } = visit();
    const { page } = await open(await browser.newContext());
    await page.goto(`${origin}/console/books`);
    await page.getByLabel('Client id').fill(platform.clientId);
    await page.getByLabel('Client secret').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('UNAUTHORIZED');
    await signIn(page, origin, platform);
    expect(await page.evaluate('document.cookie')).toBe('');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Client id').waitFor();
    await page.goto(`${origin}/console/books`);
    await page.getByLabel('Client id').waitFor();
  });
});
