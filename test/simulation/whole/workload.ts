/** What the platforms do in a step: one of all that the interface offers to move money, by chance. */
import type { Json } from '../../support/client.ts';
import { individual, quoteBody } from '../../support/flows.ts';
import { eurInfo, usdInfo } from '../../support/payments.ts';
import { outsideAddress } from '../rail.ts';
import type { Random } from '../random.ts';
import { type Backends, isBehind, type PlatformNumber, platformNumbers } from './client.ts';
import { staffOf } from './staff.ts';

/** Few enough to meet each other. */
const customersMax = 4;
const amountMax = 50_000;
const fundedMax = 200_000;

/** What a platform knows of what is its own, the newest last. */
export type Holdings = {
  readonly customers: { id: string; umaAddress: string; account: string }[];
  readonly external: { id: string; owner: string }[];
  readonly quotes: { id: string; transactionId: string }[];
  readonly transactions: string[];
  /** Payments to its customers that wait for its word. */
  readonly waiting: string[];
  readonly agents: { id: string; customer: string; accessToken: string }[];
  /** What agents have asked for and may not do by themselves: the path of each. */
  readonly actions: string[];
};

export const receiverUrl = (n: PlatformNumber): string => `https://platform-${n}.example/hooks`;

export type AllHoldings = readonly [Holdings, Holdings];

/** What was not found right after it was written, or by whom it should not have been. */
export type Missed = {
  readonly path: string;
  readonly rule: 'who has written reads it' | 'nobody sees what is of another platform';
};

/** `holdings` is what the platforms have to begin with. */
export function createWorkload(backends: Backends, random: Random, holdings: AllHoldings) {
  const { ask, read } = backends;
  const missed: Missed[] = [];
  const staff = staffOf(backends, random, holdings);
  /** What answers have said that it shows. */
  const shown = new Set<string>();
  const amount = (max = amountMax) => 1 + random.below(max);
  const either = (): PlatformNumber => (random.chance(0.5) ? 0 : 1);
  const post = (by: PlatformNumber, path: string, body?: object) =>
    ask({ by, method: 'POST', path, ...(body && { body }) });

  /** Whoever was told that it shows finds it, at whichever process, and nobody else does. */
  const lookFor = async (by: PlatformNumber, id: string) => {
    const path = `/transactions/${id}`;
    const isShown = shown.has(id);
    const seen = await read(by, path);
    if (isShown && seen?.status === 404) missed.push({ path, rule: 'who has written reads it' });
    const others = await read(by === 0 ? 1 : 0, path);
    if (others && others.status < 300) missed.push({ path, rule: 'nobody sees what is of another platform' });
  };

  const newCustomer = async (by: PlatformNumber) => {
    const { customers } = holdings[by];
    if (customers.length >= customersMax) return;
    const made = await post(by, '/customers', individual({ currencies: ['USD', 'EUR'] }));
    if (made?.status !== 201) return;
    const { id, umaAddress } = made.body;
    const accounts = await read(by, `/customers/internal-accounts?customerId=${id}&currency=USD`);
    if (accounts?.status === 200 && !isBehind(made) && accounts.body.data.length === 0)
      missed.push({ path: id, rule: 'who has written reads it' });
    const account = accounts?.body?.data?.find(({ type }: Json) => type !== 'EMBEDDED_WALLET')?.id;
    if (account) customers.push({ id, umaAddress, account });
  };
  const fund = async (by: PlatformNumber) => {
    const customer = random.pick(holdings[by].customers);
    if (customer)
      await post(by, `/sandbox/internal-accounts/${customer.account}/fund`, { amount: amount(fundedMax) });
  };
  const register = async (by: PlatformNumber) => {
    const customer = random.pick(holdings[by].customers);
    if (!customer) return;
    const isEuro = random.chance(0.3);
    const suffix = String(400 + random.below(500));
    const body = {
      customerId: customer.id,
      currency: isEuro ? 'EUR' : 'USD',
      accountInfo: isEuro ? eurInfo(suffix) : usdInfo(suffix),
    };
    const made = await post(by, '/customers/external-accounts', body);
    if (made?.status === 201) holdings[by].external.push({ id: made.body.id, owner: customer.id });
  };
  const remove = async (by: PlatformNumber) => {
    const account = random.pick(holdings[by].external);
    if (account) await ask({ by, method: 'DELETE', path: `/customers/external-accounts/${account.id}` });
  };
  const parties = (by: PlatformNumber) => {
    const external = random.pick(holdings[by].external);
    const customer = holdings[by].customers.find(({ id }) => id === external?.owner);
    return customer && external && { customer, external };
  };
  const transfer = async (by: PlatformNumber) => {
    const found = parties(by);
    if (!found) return;
    const [inside, outside] = [{ accountId: found.customer.account }, { accountId: found.external.id }];
    const isIn = random.chance(0.5);
    const body = { source: isIn ? outside : inside, destination: isIn ? inside : outside, amount: amount() };
    await paid(by, await post(by, isIn ? '/transfer-in' : '/transfer-out', body));
  };
  const paid = async (by: PlatformNumber, made: Awaited<ReturnType<typeof post>>) => {
    if (made?.status !== 201) return;
    const id: string = made.body.transactionId ?? made.body.id;
    holdings[by].transactions.push(id);
    if (!isBehind(made)) shown.add(id);
    await lookFor(by, id);
  };
  const quoteTo = async (by: PlatformNumber) => {
    const found = parties(by);
    if (!found) return undefined;
    const { customer, external } = found;
    const said = { lockedCurrencyAmount: amount(), ...(random.chance(0.3) && { immediatelyExecute: true }) };
    if (random.chance(0.5)) return quoteBody(customer.account, external.id, said);
    if (random.chance(0.2)) {
      const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: customer.id };
      return { ...quoteBody('', external.id, { lockedCurrencyAmount: amount() }), source };
    }
    const other = random.pick(holdings[by === 0 ? 1 : 0].customers);
    const umaAddress = random.chance(0.2) ? outsideAddress : other?.umaAddress;
    if (umaAddress === undefined) return undefined;
    const lookup = await read(by, `/receiver/uma/${umaAddress}?customerId=${customer.id}`);
    if (lookup?.status !== 200) return undefined;
    const destination = { destinationType: 'UMA_ADDRESS', umaAddress };
    return { ...quoteBody(customer.account, '', said), destination, lookupId: lookup.body.lookupId };
  };
  const quote = async (by: PlatformNumber) => {
    const body = await quoteTo(by);
    if (!body) return;
    const made = await post(by, '/quotes', body);
    if (made?.status === 201 && !('immediatelyExecute' in body))
      holdings[by].quotes.push({ id: made.body.id, transactionId: made.body.transactionId });
    await paid(by, made);
  };
  const execute = async (by: PlatformNumber) => {
    const found = random.pick(holdings[by].quotes.slice(-4));
    if (found) await post(by, `/quotes/${found.id}/execute`);
  };
  const payForQuote = async (by: PlatformNumber) => {
    const found = random.pick(holdings[by].quotes.slice(-4));
    if (found) await post(by, '/sandbox/send', { quoteId: found.id, currencyCode: 'USD' });
  };
  const receive = async (by: PlatformNumber) => {
    const customer = random.pick(holdings[by].customers);
    if (!customer) return;
    await post(by, '/sandbox/uma/receive', {
      senderUmaAddress: outsideAddress,
      receiverUmaAddress: customer.umaAddress,
      receivingCurrencyCode: 'USD',
      receivingCurrencyAmount: amount(),
    });
  };
  const decide = async (by: PlatformNumber) => {
    const id = random.pick(holdings[by].waiting.slice(-4));
    if (id) await post(by, `/transactions/${id}/${random.chance(0.7) ? 'approve' : 'reject'}`, {});
  };
  const look = async (by: PlatformNumber) => {
    const id = random.pick(holdings[by].transactions);
    if (id) await lookFor(by, id);
    else await read(by, '/transactions');
  };

  const often: readonly (readonly [times: number, (by: PlatformNumber) => Promise<void>])[] = [
    [1, newCustomer],
    [3, fund],
    [2, register],
    [1, remove],
    [8, transfer],
    [7, quote],
    [7, execute],
    [2, payForQuote],
    [3, receive],
    [3, decide],
    [2, look],
    [1, staff.employ],
    [4, staff.pay],
    [2, staff.quote],
    [2, staff.decide],
    [1, staff.change],
  ];
  const actions = often.flatMap(([times, action]) => Array(times).fill(action) as (typeof action)[]);

  return {
    holdings,
    missed,
    /** Each platform is told of what happens at an address of its own. */
    openEndpoints: () =>
      Promise.all(
        platformNumbers.map((by) =>
          ask({ by, method: 'PATCH', path: '/config', body: { webhookEndpoint: receiverUrl(by) } }),
        ),
      ),
    /** Two customers, with money and accounts elsewhere. */
    async settle(by: PlatformNumber) {
      for (const _ of [1, 2]) {
        await newCustomer(by);
        await fund(by);
        await register(by);
        await register(by);
      }
      await staff.employ(by);
    },
    step: (): Promise<void> => (random.pick(actions) ?? look)(either()),
  };
}

export const nothing = (): Holdings => ({
  customers: [],
  external: [],
  quotes: [],
  transactions: [],
  waiting: [],
  agents: [],
  actions: [],
});
