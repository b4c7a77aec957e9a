import { describe, expect, it } from 'vitest';
import { isChromiumHere } from '../support/chromium.ts';
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
});
