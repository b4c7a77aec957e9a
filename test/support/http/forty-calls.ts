/** Forty calls that have something of most resources, two of them refused, on a platform whose clock stands still. */
import { inboxUrl } from '../../../src/sandbox/inbox.ts';
import { accountInfoInput } from '../builders/external-accounts.ts';
import { policyOf } from '../resources/agents.ts';
import { accountOf, individual, quoteBody } from '../resources/flows.ts';
import { eurInfo, sandboxAddress, usdInfo } from '../resources/payments.ts';
import type { Answer, Client, Json } from './client.ts';

type Told = { readonly status: number; readonly requestId: string | null; readonly body: Json };

/** What the calls were answered, but for secrets and for what the installation's time and log are in. */
export async function fortyCalls(client: Client): Promise<readonly Told[]> {
  const told: Told[] = [];
  const tell = (answer: Answer): Json => {
    // `asOf` is a position of the log, which has the uses of tokens too.
    const { clientSecret, asOf: _, ...body } = answer.body ?? {};
    // Tokens have the installation's time.
    const own = clientSecret === undefined ? body : { ...body, createdAt: '', updatedAt: '' };
    told.push({ status: answer.status, requestId: answer.headers.get('x-request-id'), body: own });
    return answer.body;
  };
  const post = async (path: string, body?: object, key?: string) =>
    tell(await client.post(path, body, key === undefined ? {} : { 'Idempotency-Key': key }));
  const get = async (path: string, query?: Record<string, string>) => tell(await client.get(path, query));

  await post('/sandbox/clock/freeze', { at: '2030-01-01T00:00:00.000Z' });
  await client.patch('/config', { webhookEndpoint: inboxUrl });
  const currencies = ['USD', 'EUR'];
  const ada = await post('/customers', individual({ currencies }), 'ada');
  const grace = await post('/customers', individual({ fullName: 'Grace Hopper', currencies }));
  const account = await accountOf(client, ada.id);
  const other = await accountOf(client, grace.id);
  await post(`/sandbox/internal-accounts/${account.id}/fund`, { amount: 100_000 });
  await post(`/sandbox/internal-accounts/${other.id}/fund`, { amount: 5_000 }, 'fund');
  const external = (customerId: string, currency: string, accountInfo: object, key?: string) =>
    post('/customers/external-accounts', { customerId, currency, accountInfo }, key);
  const payee = await external(ada.id, 'EUR', accountInfoInput('EUR_ACCOUNT'));
  const failing = await external(ada.id, 'EUR', eurInfo('003'), 'failing');
  const pulled = await external(ada.id, 'USD', usdInfo('789'));
  const quote = await post('/quotes', quoteBody(account.id, payee.id));
  await post(`/quotes/${quote.id}/execute`, undefined, 'execute');
  const refused = await post('/quotes', quoteBody(account.id, failing.id), 'failing-quote');
  await post(`/quotes/${refused.id}/execute`);
  const left = await post('/quotes', quoteBody(account.id, payee.id, { lockedCurrencyAmount: 500 }));
  const move = (from: string, to: string, amount: number) => ({
    source: { accountId: from },
    destination: { accountId: to },
    amount,
  });
  await post('/transfer-in', move(pulled.id, account.id, 7_000), 'in');
  await post('/transfer-out', move(account.id, pulled.id, 1_000));
  const received = await post('/sandbox/uma/receive', {
    senderUmaAddress: sandboxAddress('success.usd'),
    receiverUmaAddress: ada.umaAddress,
    receivingCurrencyCode: 'USD',
    receivingCurrencyAmount: 2_500,
  });
  await get(`/receiver/uma/${sandboxAddress('success.usd')}`, { customerId: ada.id });
  const invitation = await post('/invitations', { inviterUma: ada.umaAddress });
  await get(`/invitations/${invitation.code}`);
  await post('/tokens', { name: 'reports', permissions: ['VIEW'] });
  await post('/tokens', { name: 'more', permissions: ['VIEW'] });
  const agent = await post('/agents', {
    name: 'Shopper',
    customerId: ada.id,
    policy: policyOf(),
  });
  await post(`/agents/${agent.agent?.id}/device-codes`);
  await post('/quotes', { nonsense: true });
  await get('/quotes/Quote:019a0000-0000-7000-8000-000000000000');
  await post('/sandbox/clock/advance', { toNextTimer: true });
  await post('/sandbox/clock/advance', { duration: 'PT1M' });
  await post('/sandbox/clock/advance', { duration: 'PT10M' });
  await get(`/quotes/${left.id}`);
  await get(`/transactions/${received.id}`);
  await get('/transactions');
  await get('/customers');
  await get('/customers/internal-accounts', { customerId: ada.id });
  await get('/customers/external-accounts', { customerId: ada.id });
  await get('/agents');
  await get('/invitations/NONE');
  await get('/customers', { customerType: 'BUSINESS' });
  await get('/exchange-rates');
  await get('/sandbox/outcomes');
  await get('/sandbox/clock');
  await get(`/customers/${ada.id}`);
  return told;
}

/** All that the platform has been told, by its ids: events of different objects have no order among each other. */
export async function webhookBodies(client: Client): Promise<readonly string[]> {
  const bodies: string[] = [];
  let after = '0.0';
  for (;;) {
    const { body } = await client.get('/sandbox/webhooks', { after, waitSeconds: '0' });
    if (body.data.length === 0) return bodies.sort();
    for (const { place, deliveries: _, ...webhook } of body.data) {
      after = place;
      bodies.push(JSON.stringify(webhook));
    }
  }
}
