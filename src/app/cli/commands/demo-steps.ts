/** What the demo does, call by call. Anything that is not as expected is a `Surprise`. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

/** Says what was expected and what came. */
export class Surprise extends Error {
  override name = 'Surprise';
}

export type Api = (
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
) => Promise<{ status: number; body: unknown }>;
type Say = (line: string) => void;

const currency = z.object({ code: z.string(), symbol: z.string(), decimals: z.number() });
type Currency = z.output<typeof currency>;
const account = z.object({
  id: z.string(),
  type: z.string(),
  balance: z.object({ amount: z.number(), currency }),
});
const quote = z.object({
  id: z.string(),
  status: z.string(),
  transactionId: z.string(),
  totalSendingAmount: z.number(),
  totalReceivingAmount: z.number(),
  sendingCurrency: currency,
  receivingCurrency: currency,
  feesIncluded: z.number(),
  exchangeRate: z.number(),
  expiresAt: z.string(),
});
const trialBalance = z.object({
  currency,
  internal: z.number(),
  rail: z.number(),
  inFlight: z.number(),
  fees: z.number(),
  fx: z.number(),
  total: z.number(),
});

const funding = 100_000;
const sending = 25_000;
const waitMaxMs = 30_000;

const money = (amount: number, { code, decimals }: Currency) =>
  `${(amount / 10 ** decimals).toFixed(decimals)} ${code}`;

/** Throws `Surprise` as soon as an answer is not what it should be. */
export async function runDemo(api: Api, say: Say): Promise<void> {
  const call = caller(api, say);
  say('\n1. A customer in the United States, who gets a USD account and a wallet.');
  const person = { customerType: 'INDIVIDUAL', fullName: 'Ada Lovelace', region: 'US', currencies: ['USD'] };
  const customer = await call(
    'POST',
    '/customers',
    201,
    z.object({ id: z.string(), umaAddress: z.string() }),
    person,
  );
  say(`   ${customer.id}, payment address ${customer.umaAddress}`);

  say('\n2. The USD account, and 1000.00 USD on it.');
  const usd = await findUsdAccount(call, customer.id);
  const funded = await call('POST', `/sandbox/internal-accounts/${usd.id}/fund`, 200, account, {
    amount: funding,
  });
  expectEqual('the balance after funding', funded.balance.amount, funding);
  say(`   ${usd.id} holds ${money(funded.balance.amount, funded.balance.currency)}`);

  say('\n3. A bank account in euro, and a quote for sending 250.00 USD there.');
  const payee = await call(
    'POST',
    '/customers/external-accounts',
    201,
    z.object({ id: z.string() }),
    bankAccount(customer.id),
  );
  const offered = await call('POST', '/quotes', 201, quote, quoteRequest(usd.id, payee.id));
  expectEqual('the status of a new quote', offered.status, 'PENDING');
  describe(offered, say);

  say('\n4. Execution, and waiting for the money to arrive.');
  const executed = await call('POST', `/quotes/${offered.id}/execute`, 200, quote);
  if (executed.status !== 'PROCESSING' && executed.status !== 'COMPLETED') {
    throw new Surprise(`Expected the executed quote to be PROCESSING or COMPLETED, got ${executed.status}.`);
  }
  await waitForCompletion(call, offered.transactionId, say);

  say('\n5. The books.');
  const left = await findUsdAccount(call, customer.id);
  expectEqual('the balance after the payment', left.balance.amount, funding - offered.totalSendingAmount);
  say(`   ${left.id} holds ${money(left.balance.amount, left.balance.currency)}`);
  await showTrialBalances(call, say);
  say('\nEverything was as expected.');
}

type Call = <T>(
  method: 'GET' | 'POST',
  path: string,
  status: number,
  shape: z.ZodType<T>,
  body?: unknown,
) => Promise<T>;

const caller =
  (api: Api, say: Say): Call =>
  async (method, path, status, shape, body) => {
    say(`   ${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`);
    const answer = await api(method, path, body);
    const text = JSON.stringify(answer.body);
    say(`   ${answer.status} ${text.length > 400 ? `${text.slice(0, 400)}…` : text}`);
    if (answer.status !== status)
      throw new Surprise(`Expected ${status} from ${method} ${path}, got ${answer.status}.`);
    const parsed = shape.safeParse(answer.body);
    if (parsed.success) return parsed.data;
    throw new Surprise(`Expected another answer from ${method} ${path}: ${z.prettifyError(parsed.error)}`);
  };

function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Surprise(`Expected ${what} to be ${String(expected)}, got ${String(actual)}.`);
}

async function findUsdAccount(call: Call, customerId: string) {
  const path = `/customers/internal-accounts?customerId=${customerId}&currency=USD`;
  const { data } = await call('GET', path, 200, z.object({ data: z.array(account) }));
  const found = data.find(({ type }) => type === 'INTERNAL_FIAT');
  if (!found) throw new Surprise('Expected the customer to have a USD account, found none.');
  return found;
}

const bankAccount = (customerId: string) => ({
  customerId,
  currency: 'EUR',
  accountInfo: {
    accountType: 'EUR_ACCOUNT',
    iban: 'DE89370400440532013000',
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Grace Hopper', countryOfResidence: 'DE' },
  },
});

const quoteRequest = (sourceId: string, destinationId: string) => ({
  source: { sourceType: 'ACCOUNT', accountId: sourceId },
  destination: { destinationType: 'ACCOUNT', accountId: destinationId },
  lockedCurrencySide: 'SENDING',
  lockedCurrencyAmount: sending,
  description: 'Invoice 1815',
});

function describe(offered: z.output<typeof quote>, say: Say): void {
  const { totalSendingAmount, totalReceivingAmount, sendingCurrency, receivingCurrency, feesIncluded } =
    offered;
  say(
    `   ${money(totalSendingAmount, sendingCurrency)} leave, of which ${money(feesIncluded, sendingCurrency)} are fees;`,
  );
  say(
    `   ${money(totalReceivingAmount, receivingCurrency)} arrive, at ${offered.exchangeRate} USD per EUR, until ${offered.expiresAt}.`,
  );
}

async function waitForCompletion(call: Call, transactionId: string, say: Say): Promise<void> {
  const end = performance.now() + waitMaxMs;
  for (let quiet = false; ; quiet = true) {
    const shape = z.object({ status: z.string(), failureReason: z.string().optional() });
    const { status, failureReason } = await call('GET', `/transactions/${transactionId}`, 200, shape);
    if (status === 'COMPLETED') return;
    if (status !== 'PROCESSING')
      throw new Surprise(`Expected the payment to complete, it is ${status} (${failureReason}).`);
    if (performance.now() > end)
      throw new Surprise('Expected the payment to complete within 30 seconds, it is still PROCESSING.');
    if (!quiet) say('   … on its way');
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
}

async function showTrialBalances(call: Call, say: Say): Promise<void> {
  const { data } = await call(
    'GET',
    '/platform/trial-balance',
    200,
    z.object({ data: z.array(trialBalance) }),
  );
  for (const { currency: of, internal, rail, inFlight, fees, fx, total } of data) {
    const parts = Object.entries({ internal, rail, 'in flight': inFlight, fees, fx });
    say(
      `   ${of.code}: ${parts.map(([name, amount]) => `${name} ${money(amount, of)}`).join(', ')}; total ${money(total, of)}`,
    );
    expectEqual(`the trial balance of ${of.code}`, total, 0);
    expectEqual(`the money in flight in ${of.code}`, inFlight, 0);
  }
}
