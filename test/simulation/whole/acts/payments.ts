/** Money that platforms move for their customers, to and from accounts of others; and who reads of it. */
import type { Json } from '../../../support/http/client.ts';
import { quoteBody } from '../../../support/resources/flows.ts';
import { eurInfo, usdInfo } from '../../../support/resources/payments.ts';
import { outsideAddress } from '../../rail.ts';
import type { Random } from '../../random.ts';
import { type Backends, isBehind, type PlatformNumber } from '../client.ts';
import type { Bank } from '../ports/bank.ts';
import type { FarRail } from '../ports/elsewhere/rail-service.ts';
import type { Taken } from '../ports/receivers.ts';
import { isReceiverOf } from './endpoints.ts';
import { type AllHoldings, accountIn, type Holdings, type Missed, otherThan } from './holdings.ts';

const amountMax = 50_000;
const fundedMax = 200_000;
/** While a quote is open still, as a rule. */
const soonMs = 4_000;
/** When a payment has begun that is not held up, and has not come to its end where it is. */
const [underWayMinMs, underWayMaxMs] = [1_000, 4_000];

type Quoted = Holdings['quotes'][number];
type External = Holdings['external'][number];
type Parties = { readonly customer: Holdings['customers'][number]; readonly external: External };

/** What is to be paid from outside before a quote runs, if anything is. */
function askedForBy({ totalSendingAmount, paymentInstructions }: Json) {
  const [first] = paymentInstructions ?? [];
  const reference: string | undefined = first?.accountOrWalletInfo.reference;
  return reference === undefined ? undefined : { reference, minor: BigInt(totalSendingAmount) };
}

type Deps = {
  readonly random: Random;
  readonly bank: Pick<Bank, 'receive'>;
  /** Where money comes by another rail as well. */
  readonly farRail: Pick<FarRail, 'receive'> | undefined;
  readonly receivers: { readonly taken: readonly Taken[] };
  readonly holdings: AllHoldings;
  readonly missed: Missed[];
};

export function paymentsOf(
  { ask, pause, post, read }: Backends,
  { random, bank, farRail, receivers, holdings, missed }: Deps,
) {
  /** What answers have said that it shows. */
  const shown = new Set<string>();
  const amount = (max = amountMax) => 1 + random.below(max);

  /** Whoever was told that it shows finds it, at whichever process, and nobody else does. */
  const lookFor = async (by: PlatformNumber, id: string) => {
    const path = `/transactions/${id}`;
    const isShown = shown.has(id);
    const seen = await read(by, path);
    if (isShown && seen?.status === 404) missed.push({ path, rule: 'who has written reads it' });
    const others = await read(otherThan(by), path);
    if (others && others.status < 300) missed.push({ path, rule: 'nobody sees what is of another platform' });
  };

  const fund = async (by: PlatformNumber) => {
    const customer = random.pick(holdings[by].customers);
    if (customer)
      await post(by, `/sandbox/internal-accounts/${customer.account}/fund`, { amount: amount(fundedMax) });
  };
  /** Money comes to the bank, for a customer's account in EUR, or by another rail, for one in USD. */
  const arrive = async (by: PlatformNumber) => {
    const customer = random.pick(holdings[by].customers);
    const minor = BigInt(amount());
    if (!customer) return;
    const { account, reference, euro } = customer;
    if (farRail && random.chance(0.5)) farRail.receive(account, reference, minor);
    else bank.receive(euro.account, euro.reference, minor);
  };
  /** It comes while the account is frozen for a moment. */
  const arriveFrozen = async (by: PlatformNumber) => {
    const customer = random.pick(holdings[by].customers);
    if (!customer || !farRail) return;
    const { account, reference } = customer;
    const setStatus = (status: 'ACTIVE' | 'FROZEN') =>
      post(by, `/sandbox/internal-accounts/${account}/status`, { status });
    holdings[by].frozen.push(account);
    await setStatus('FROZEN');
    farRail.receive(account, reference, BigInt(amount()), soonMs);
    await pause(2 * soonMs);
    await setStatus('ACTIVE');
  };
  const register = async (by: PlatformNumber) => {
    const customer = random.pick(holdings[by].customers);
    if (!customer) return;
    const isEuro = random.chance(0.4);
    const suffix = String(400 + random.below(500));
    const currency = isEuro ? 'EUR' : 'USD';
    const body = {
      customerId: customer.id,
      currency,
      accountInfo: isEuro ? eurInfo(suffix) : usdInfo(suffix),
    };
    const made = await post(by, '/customers/external-accounts', body);
    if (made?.status !== 201) return;
    const external = { id: made.body.id, owner: customer.id, currency } as const;
    holdings[by].external.push(external);
    return { customer, external };
  };
  const removeAccount = (by: PlatformNumber, { id }: External) =>
    ask({ by, method: 'DELETE', path: `/customers/external-accounts/${id}` });
  const remove = async (by: PlatformNumber) => {
    const account = random.pick(holdings[by].external);
    if (account) await removeAccount(by, account);
  };
  const parties = (by: PlatformNumber) => {
    const external = random.pick(holdings[by].external);
    const customer = holdings[by].customers.find(({ id }) => id === external?.owner);
    return customer && external && { customer, external };
  };
  const transferBetween = async (by: PlatformNumber, { customer, external }: Parties) => {
    const [inside, outside] = [
      { accountId: accountIn(customer, external.currency) },
      { accountId: external.id },
    ];
    // Nothing is pulled from an account in EUR.
    const isIn = external.currency === 'USD' && random.chance(0.6);
    const body = { source: isIn ? outside : inside, destination: isIn ? inside : outside, amount: amount() };
    await paid(by, await post(by, isIn ? '/transfer-in' : '/transfer-out', body));
  };
  const transfer = async (by: PlatformNumber) => {
    const found = parties(by);
    if (found) await transferBetween(by, found);
  };
  /** An account elsewhere is there for one payment, and is deleted while that is under way. */
  const transferOnce = async (by: PlatformNumber) => {
    const found = await register(by);
    if (!found) return;
    const untilRemoved = pause(underWayMinMs + random.below(underWayMaxMs - underWayMinMs));
    const removed = untilRemoved.then(() => removeAccount(by, found.external));
    await Promise.all([transferBetween(by, found), removed]);
  };
  const paid = async (by: PlatformNumber, made: Awaited<ReturnType<typeof post>>) => {
    if (made?.status !== 201) return;
    const id: string = made.body.transactionId ?? made.body.id;
    holdings[by].transactions.push(id);
    if (!isBehind(made)) shown.add(id);
    await lookFor(by, id);
  };
  /** Somebody pays from outside for it. */
  const toBePaid = (customerId: string, externalId: string) => {
    const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId };
    return { ...quoteBody('', externalId, { lockedCurrencyAmount: amount() }), source };
  };
  const quoteTo = async (by: PlatformNumber) => {
    const found = parties(by);
    if (!found) return undefined;
    const { customer, external } = found;
    const said = { lockedCurrencyAmount: amount(), ...(random.chance(0.3) && { immediatelyExecute: true }) };
    if (random.chance(0.5)) return quoteBody(customer.account, external.id, said);
    if (random.chance(0.2)) return toBePaid(customer.id, external.id);
    const other = random.pick(holdings[otherThan(by)].customers);
    const umaAddress = random.chance(0.2) ? outsideAddress : other?.umaAddress;
    if (umaAddress === undefined) return undefined;
    const lookup = await read(by, `/receiver/uma/${umaAddress}?customerId=${customer.id}`);
    if (lookup?.status !== 200) return undefined;
    const destination = { destinationType: 'UMA_ADDRESS', umaAddress };
    return { ...quoteBody(customer.account, '', said), destination, lookupId: lookup.body.lookupId };
  };
  const price = async (by: PlatformNumber, body: object) => {
    const made = await post(by, '/quotes', body);
    if (made?.status === 201 && !('immediatelyExecute' in body))
      holdings[by].quotes.push({
        id: made.body.id,
        transactionId: made.body.transactionId,
        asksFor: askedForBy(made.body),
      });
    await paid(by, made);
  };
  const quote = async (by: PlatformNumber) => {
    const body = await quoteTo(by);
    if (body) await price(by, body);
  };
  const quoteToBePaid = async (by: PlatformNumber) => {
    const found = parties(by);
    if (!found) return;
    await price(by, toBePaid(found.customer.id, found.external.id));
    await payFor(by, lastQuotes(by, true).at(-1));
  };
  const lastQuotes = (by: PlatformNumber, isPaidFor: boolean) =>
    holdings[by].quotes.filter(({ asksFor }) => (asksFor !== undefined) === isPaidFor).slice(-4);
  const execute = async (by: PlatformNumber) => {
    const found = random.pick(lastQuotes(by, false));
    if (found) await post(by, `/quotes/${found.id}/execute`);
  };
  const payForQuote = (by: PlatformNumber) => payFor(by, random.pick(lastQuotes(by, true)));
  const payFor = async (by: PlatformNumber, quoted: Quoted | undefined) => {
    if (!quoted?.asksFor) return;
    const { id, transactionId, asksFor } = quoted;
    if (farRail && random.chance(0.7)) {
      // Now and then of another amount, which nobody takes.
      const minor = asksFor.minor + (random.chance(0.2) ? 1n : 0n);
      farRail.receive(transactionId, asksFor.reference, minor, soonMs);
    } else await post(by, '/sandbox/send', { quoteId: id, currencyCode: 'USD' });
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
    const waiting = receivers.taken.filter(({ url, isPutOff }) => isPutOff && isReceiverOf(by, url));
    const [id] = /Transaction:[0-9a-f-]+/.exec(random.pick(waiting.slice(-4))?.body ?? '') ?? [];
    if (id) await post(by, `/transactions/${id}/${random.chance(0.7) ? 'approve' : 'reject'}`, {});
  };
  const look = async (by: PlatformNumber) => {
    const id = random.pick(holdings[by].transactions);
    if (id) await lookFor(by, id);
    else await read(by, '/transactions');
  };

  return {
    arrive,
    arriveFrozen,
    fund,
    register,
    remove,
    transfer,
    transferOnce,
    quote,
    quoteToBePaid,
    execute,
    payForQuote,
    receive,
    decide,
    look,
    /** Notes what a payment was answered with. */
    paid,
  };
}
