/** A service with a filled platform, a browser, and a person who is signed in: one for each file of tests. */
import { startDaybook, type TestDaybook, type TestPlatform } from '@daybook/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type Credentials, isChromiumHere, launch, open, signIn, type Tab } from './chromium.ts';
import { type Filled, fill } from './filled.ts';

export type Visit = {
  readonly origin: string;
  readonly platform: TestPlatform;
  readonly filled: Filled;
  readonly tab: Tab;
  readonly browser: Browser;
  readonly daybook: TestDaybook;
  /** Opens a page by its address, as a deep link does. */
  go(path: string): Promise<void>;
  /** A person of their own, with other credentials. */
  visitor(credentials: Credentials): Promise<Tab>;
};

/** What it gives is there when the tests run. */
export function visitOfTests(): () => Visit {
  let visit: Visit | undefined;
  beforeAll(async () => {
    if (!isChromiumHere) return;
    const daybook = await startDaybook({ variables: { DAYBOOK_CHECKPOINT_INTERVAL_SECONDS: '1' } });
    const platform = await daybook.newPlatform();
    const filled = await fill(platform);
    const { origin } = new URL(daybook.baseUrl);
    const browser = await launch();
    const visitor = async (credentials: Credentials) => {
      const tab = await open(await browser.newContext({ viewport: { width: 1280, height: 900 } }));
      await signIn(tab.page, origin, credentials);
      return tab;
    };
    const tab = await visitor(platform);
    const go = async (path: string) => {
      await tab.page.goto(`${origin}/console${path}`);
      await tab.page.locator('h1').waitFor();
      await tab.page.getByText('Loading…').first().waitFor({ state: 'hidden' });
    };
    visit = { origin, platform, filled, tab, browser, daybook, go, visitor };
  });
  afterAll(async () => {
    await visit?.browser.close();
    await visit?.daybook.stop();
  });
  return () => {
    if (!visit) throw new Error('the browser was not started');
    return visit;
  };
}

/** The pages, by name, with what is there to be seen. */
export const pagesOf = ({ payment, accountId, webhook, customer, payee }: Filled) =>
  ({
    payments: ['/payments', '1,234.56'],
    'a payment': [`/payments/${payment}`, 'TransactionCompleted'],
    customers: ['/customers', 'business'],
    'a customer': [`/customers/${customer.id}`, 'usd account'],
    accounts: ['/accounts', '48,365.44'],
    'an account': [`/accounts/${accountId}`, '48,365.44'],
    books: ['/books', '−48,367.94'],
    requests: ['/requests?search=transfer-out', 'transferOut'],
    webhooks: ['/webhooks', 'OUTGOING_PAYMENT.COMPLETED'],
    'a webhook': [`/webhooks/${webhook}`, 'Attempts to deliver it'],
    agents: ['/agents', 'Purchaser'],
    sandbox: ['/sandbox', 'What decides how something ends'],
    audit: [`/audit?of=${payment}&revision=0`, 'leads to the root of the checkpoint'],
    health: ['/health', 'Requests'],
    search: [`/find?id=${payee}`, 'ExternalAccountCreated'],
  }) as const;

export const pageNames = [
  'payments',
  'a payment',
  'customers',
  'a customer',
  'accounts',
  'an account',
  'books',
  'requests',
  'webhooks',
  'a webhook',
  'agents',
  'sandbox',
  'audit',
  'health',
  'search',
] as const;
