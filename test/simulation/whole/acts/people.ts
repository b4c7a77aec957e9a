/** What platforms do with customers, tokens and invitations. */

import type { Json } from '../../../support/http/client.ts';
import { individual } from '../../../support/resources/flows.ts';
import type { Random } from '../../random.ts';
import { type Backends, isBehind, type PlatformNumber, platformNumbers } from '../client.ts';
import {
  type AllHoldings,
  accountIn,
  type Customer,
  type Missed,
  otherThan,
  type Token,
} from './holdings.ts';
import { signed } from './wallets.ts';

/** Few enough to meet each other. */
const customersMax = 4;
const tokensMax = 2;
/** So that nobody else has the same. */
const emailsMax = 2 ** 40;
/** Few enough that two want the same. */
const namesMax = 6;
/** A process may know a token for so long that has been deleted. */
const untilForgottenMs = 1_500;

type Deps = {
  readonly random: Random;
  readonly holdings: AllHoldings;
  readonly missed: Missed[];
  /** What was opened with a token is closed with it. */
  readonly tryDesksOf: (token: Token) => Promise<void>;
};

export function peopleOf(
  { ask, post, read, pause, untilShown }: Backends,
  { random, holdings, missed, tryDesksOf }: Deps,
) {
  /** Tokens that are deleted, or will be in a moment. */
  const withdrawn = new Set<string>();
  const newEmail = () => `ada-${random.below(emailsMax)}@example.com`;
  const welcome = async (by: PlatformNumber) => {
    const { customers } = holdings[by];
    if (customers.length >= customersMax) return;
    const email = newEmail();
    const person = individual({ currencies: ['USD', 'EUR'], email });
    const made = await post(by, '/customers', person);
    if (made?.status !== 201) return;
    const { id, umaAddress } = made.body;
    await untilShown(made);
    const accounts = await read(by, `/customers/internal-accounts?customerId=${id}`);
    if (accounts?.status !== 200) return;
    const all: Json[] = accounts.body.data;
    if (!isBehind(made) && all.length === 0) missed.push({ path: id, rule: 'who has written reads it' });
    const wallet = all.find(({ type }) => type === 'EMBEDDED_WALLET');
    const of = (code: string) => all.find((one) => one !== wallet && one.balance.currency.code === code);
    const [dollar, euro] = [of('USD'), of('EUR')];
    if (!wallet || !dollar || !euro) return;
    const referenceOf = ({ fundingPaymentInstructions: [{ accountOrWalletInfo }] }: Json): string =>
      accountOrWalletInfo.reference;
    customers.push({
      id,
      emails: [email],
      umaAddress,
      changes: { begun: 0, underWay: 0 },
      account: dollar.id,
      reference: referenceOf(dollar),
      euro: { account: euro.id, reference: referenceOf(euro) },
      wallet: { account: wallet.id, further: [], sessions: [] },
    });
  };
  /** Says whether it was done. Who changes a customer alone reads it then. */
  const changed = async (
    by: PlatformNumber,
    { id, changes, wallet }: Customer,
    body: Readonly<Record<string, string>>,
  ) => {
    changes.underWay += 1;
    changes.begun += 1;
    const { begun } = changes;
    /** Nobody else has changed the customer since, or is about to. */
    const isAlone = () => changes.underWay === 1 && changes.begun === begun;
    const [path, wasAlone] = [`/customers/${id}`, isAlone()];
    const send = (headers = {}) => ask({ by, method: 'PATCH', path, body, headers });
    const first = await send();
    // The address that a wallet is opened by changes with a signature of it.
    const session = random.pick(wallet.sessions);
    const headers = session && signed(session, first);
    const made = headers ? await send(headers) : first;
    if (made?.status === 200 && !isBehind(made)) {
      const seen = await read(by, path);
      const isSeen = Object.entries(body).every(([name, value]) => seen?.body?.[name] === value);
      if (seen?.status === 200 && !isSeen && wasAlone && isAlone())
        missed.push({ path, rule: 'who has written reads it' });
    }
    changes.underWay -= 1;
    return made?.status === 200;
  };
  const change = async (by: PlatformNumber) => {
    const customer = random.pick(holdings[by].customers);
    if (!customer) return;
    if (random.chance(0.5)) {
      const email = newEmail();
      // It may be written though nobody hears of it.
      customer.emails.push(email);
      await changed(by, customer, { email });
      return;
    }
    const [, domain] = customer.umaAddress.split('@');
    const umaAddress = `$ada-${random.below(namesMax)}@${domain}`;
    if (await changed(by, customer, { umaAddress })) customer.umaAddress = umaAddress;
  };
  /** Whoever has money, or waits for some, stays; the others are gone, and nothing begins for them any more. */
  const leave = async (by: PlatformNumber) => {
    const customer = random.pick(holdings[by].customers.slice(2));
    if (!customer) return;
    const gone = await ask({ by, method: 'DELETE', path: `/customers/${customer.id}` });
    if (gone?.status === 200) await isGone(by, customer);
  };
  const isGone = async (by: PlatformNumber, customer: Customer) => {
    const { customers, external } = holdings[by];
    const n = customers.indexOf(customer);
    if (n >= 0) customers.splice(n, 1);
    const payee = external.find(({ owner }) => owner === customer.id);
    if (!payee) return;
    const body = {
      source: { accountId: payee.id },
      destination: { accountId: accountIn(customer, payee.currency) },
      amount: 100,
    };
    const made = await post(by, '/transfer-in', body);
    if (made && made.status < 300)
      missed.push({ path: customer.id, rule: 'nothing begins for a customer who is deleted' });
  };

  const issue = async (by: PlatformNumber) => {
    const { tokens } = holdings[by];
    if (tokens.length >= tokensMax) return;
    const made = await post(by, '/tokens', { name: 'issued', permissions: ['VIEW'] });
    if (made?.status !== 201) return;
    const { id, clientId, clientSecret } = made.body;
    tokens.push({ id, clientId, clientSecret });
    const seen = await read(by, '/config', { as: { clientId, clientSecret } });
    const isKnown = !isBehind(made) && !withdrawn.has(id);
    if (seen?.status === 401 && isKnown) missed.push({ path: id, rule: 'who has written reads it' });
  };
  const withdraw = async (by: PlatformNumber) => {
    const { tokens } = holdings[by];
    const token = random.pick(tokens);
    if (!token) return;
    withdrawn.add(token.id);
    const gone = await ask({ by, method: 'DELETE', path: `/tokens/${token.id}` });
    if (!gone || gone.status >= 300) return;
    tokens.splice(tokens.indexOf(token), 1);
    holdings[by].closed.push(token);
    await pause(untilForgottenMs);
    await tryClosed(by, token);
  };
  const tryClosed = async (by: PlatformNumber, token: Token) => {
    const seen = await read(by, '/config', { as: token });
    if (seen && seen.status < 300)
      missed.push({ path: token.id, rule: 'a token that was deleted opens nothing' });
    await tryDesksOf(token);
  };
  /** Whoever kept one that was deleted comes back once all is over. */
  const tryAllClosed = async () => {
    for (const by of platformNumbers) for (const token of holdings[by].closed) await tryClosed(by, token);
  };

  const invite = async (by: PlatformNumber) => {
    const customer = random.pick(holdings[by].customers);
    if (!customer) return;
    const made = await post(by, '/invitations', { inviterUma: customer.umaAddress });
    if (made?.status === 201) holdings[by].invitations.push(made.body.code);
  };
  /** Both platforms may want the same one, at the same time. */
  const claim = async (by: PlatformNumber) => {
    const code = random.pick([...holdings[0].invitations, ...holdings[1].invitations].slice(-4));
    const customer = random.pick(holdings[by].customers);
    if (!code || !customer) return;
    const other = random.pick(holdings[otherThan(by)].customers);
    const claims = [
      post(by, `/invitations/${code}/claim`, { inviteeUma: customer.umaAddress }),
      other && post(otherThan(by), `/invitations/${code}/claim`, { inviteeUma: other.umaAddress }),
    ];
    const all = await Promise.all(claims);
    if (all.filter((one) => one && one.status < 300).length > 1)
      missed.push({ path: code, rule: 'an invitation is claimed once' });
  };
  const cancel = async (by: PlatformNumber) => {
    const code = random.pick(holdings[by].invitations.slice(-4));
    if (code) await post(by, `/invitations/${code}/cancel`);
  };
  return { welcome, change, leave, isGone, issue, withdraw, tryAllClosed, invite, claim, cancel };
}
