/** Operations of every kind in random order, as the clients of a platform would send them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Client, Json } from '../http/client.ts';
import { individual, quoteBody } from '../resources/flows.ts';
import { eurInfo, sandboxAddress, usdInfo } from '../resources/payments.ts';
import { withCheckDigits } from '../values/iban.ts';
import type { Random } from '../values/random.ts';

/** A request as its sender remembers it. */
export type MixedRequest = {
  readonly kind: Kind;
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  readonly path: string;
  readonly body: unknown;
  readonly key: string | undefined;
  /** Every answer that came, the first one first. */
  readonly answers: Answer[];
};

type Kind = keyof typeof refusals;

/** The refusals that each kind of request may meet in the mix, by their codes. */
export const refusals = {
  customer: [],
  external: ['INVALID_BANK_ACCOUNT'],
  fund: [],
  lookup: [],
  quote: ['INSUFFICIENT_BALANCE', 'REFERENCE_NOT_FOUND'],
  execute: ['INSUFFICIENT_BALANCE', 'CONFLICT', 'QUOTE_EXPIRED', 'INVALID_INPUT'],
  transfer: ['INSUFFICIENT_BALANCE', 'REFERENCE_NOT_FOUND'],
  send: ['INVALID_INPUT'],
  receive: [],
  decide: ['TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL'],
  remove: ['REFERENCE_NOT_FOUND'],
  configure: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type Person = {
  readonly id: string;
  readonly umaAddress: string;
  readonly usd: string;
  readonly eur: string;
  readonly pulled: string[];
  readonly paid: string[];
};

/** So often one is sent again that was refused early. */
const refusedMax = 30;

/** What a client does with an answer so that later requests can build on it. */
type Learn = (body: Json) => void;
type Planned = Omit<MixedRequest, 'answers' | 'key'> & { readonly learn?: Learn; readonly keyed?: boolean };

/** Only suffixes that end soon: a name check that waits or fails, and every outcome of transfers and quotes. */
const suffixes = [
  '002',
  '003',
  '004',
  '005',
  '006',
  '007',
  '102',
  '105',
  '321',
  '654',
  '789',
  '987',
] as const;
const names = ['success.usd', 'success.eur', 'success.mxn', 'fail.compliance.usd'] as const;

export type Mix = {
  readonly sent: MixedRequest[];
  /** Sends the next request; sends it again with its key, once there is a service, when the connection breaks. */
  next(connect: () => Promise<Client>): Promise<void>;
};

export function createMix(random: Random, people: readonly Person[]): Mix {
  const sent: MixedRequest[] = [];
  const quotes: { readonly id: string; readonly isFunded: boolean; readonly currency: string }[] = [];
  const incoming: string[] = [];
  let count = 0;

  const [first, ...others] = people;
  if (!first) throw new Error('nobody takes part');
  const anyone = (): Person => random.oneOf([first, ...others]);
  const oneOf = (ids: readonly string[]): string | undefined => ids[random.between(0, ids.length - 1)];
  const amount = () => random.between(200, 30_000);
  const post = (kind: Kind, path: string, body: unknown, learn?: Learn, keyed = false): Planned => ({
    kind,
    method: 'post',
    path,
    body,
    keyed,
    ...(learn && { learn }),
  });

  const register = (): Planned => {
    const { id: customerId, pulled, paid } = anyone();
    const isUsd = random.between(0, 1) === 0;
    const suffix = random.oneOf(suffixes);
    const number = String(count).padStart(6, '0');
    const accountInfo = isUsd
      ? { ...usdInfo(suffix), accountNumber: `9${number}${suffix}` }
      : { ...eurInfo(suffix), iban: withCheckDigits(`DE0037040044${number}1${suffix}`) };
    const isDefault = !isUsd && random.between(0, 3) === 0;
    const body = { customerId, currency: isUsd ? 'USD' : 'EUR', accountInfo };
    const learn: Learn = ({ id }) => {
      paid.push(id);
      if (isUsd) pulled.push(id);
    };
    const whole = { ...body, defaultUmaDepositAccount: isDefault };
    return post('external', '/customers/external-accounts', whole, learn);
  };

  const quoteOf = (source: Json, destination: Json, overrides: object, isFunded = false): Planned => {
    const immediatelyExecute = !isFunded && random.between(0, 2) === 0;
    const locked = { lockedCurrencyAmount: amount(), immediatelyExecute, ...overrides };
    const side = random.oneOf(['SENDING', 'RECEIVING'] as const);
    const body = { ...quoteBody('', ''), lockedCurrencySide: side, ...locked, source, destination };
    const learn: Learn = ({ id, status, sendingCurrency }) => {
      if (status === 'PENDING') quotes.push({ id, isFunded, currency: sendingCurrency.code });
    };
    return post('quote', '/quotes', body, learn, true);
  };
  const quoteToAccount = (): Planned => {
    const [from, to] = [anyone(), anyone()];
    const source = random.oneOf([from.usd, from.eur, oneOf(from.pulled) ?? from.usd]);
    const target = random.oneOf([oneOf(to.paid) ?? to.eur, to.eur, to.usd]);
    const destination = { destinationType: 'ACCOUNT', accountId: target === source ? to.eur : target };
    if (destination.accountId === source) return fund();
    return quoteOf({ sourceType: 'ACCOUNT', accountId: source }, destination, {});
  };
  const quoteFunded = (): Planned => {
    const { id: customerId, eur } = anyone();
    const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId };
    return quoteOf(source, { destinationType: 'ACCOUNT', accountId: eur }, {}, true);
  };
  /** The quote to the address follows when the lookup is answered. */
  const lookUp = (): Planned => {
    const [payer, payee] = [anyone(), anyone()];
    const isOutside = payer === payee || random.between(0, 2) === 0;
    const umaAddress = isOutside ? sandboxAddress(random.oneOf(names)) : payee.umaAddress;
    const learn: Learn = ({ lookupId }) => {
      const source = { sourceType: 'ACCOUNT', accountId: payer.usd };
      waiting.push(quoteOf(source, { destinationType: 'UMA_ADDRESS', umaAddress }, { lookupId }));
    };
    const path = `/receiver/uma/${umaAddress}?customerId=${payer.id}`;
    return { kind: 'lookup', method: 'get', path, body: undefined, learn };
  };
  const waiting: Planned[] = [];

  const execute = (): Planned => {
    const quote = quotes.splice(random.between(0, quotes.length - 1), 1)[0];
    if (!quote) return quoteToAccount();
    if (!quote.isFunded) return post('execute', `/quotes/${quote.id}/execute`, undefined, undefined, true);
    const isWrong = random.between(0, 3) === 0;
    const paid = { quoteId: quote.id, currencyCode: quote.currency };
    return post('send', '/sandbox/send', { ...paid, ...(isWrong && { currencyAmount: amount() }) });
  };
  const transfer = (): Planned => {
    const { usd, pulled } = anyone();
    const external = oneOf(pulled);
    if (!external) return register();
    const isIn = random.between(0, 1) === 0;
    const ends = isIn ? [external, usd] : [usd, external];
    const [source, destination] = ends.map((accountId) => ({ accountId }));
    const body = { source, destination, amount: amount() };
    return post('transfer', isIn ? '/transfer-in' : '/transfer-out', body, undefined, true);
  };
  const fund = (): Planned => {
    const { usd, eur } = anyone();
    const id = random.oneOf([usd, eur]);
    return post('fund', `/sandbox/internal-accounts/${id}/fund`, { amount: amount() });
  };
  const receive = (): Planned => {
    const { id: customerId, umaAddress } = anyone();
    const to = random.oneOf([{ customerId }, { receiverUmaAddress: umaAddress }]);
    const senderUmaAddress = sandboxAddress(random.oneOf(names));
    const receivingCurrencyCode = random.oneOf(['USD', 'EUR']);
    const payment = { senderUmaAddress, receivingCurrencyCode, receivingCurrencyAmount: amount(), ...to };
    const learn: Learn = ({ id, status }) => {
      if (status === 'PENDING') incoming.push(id);
    };
    return post('receive', '/sandbox/uma/receive', payment, learn);
  };
  const decide = (): Planned => {
    const id = incoming.shift();
    if (!id) return receive();
    return post('decide', `/transactions/${id}/${random.oneOf(['approve', 'reject'])}`, undefined);
  };
  const remove = (): Planned => {
    const { pulled, paid } = anyone();
    const id = oneOf(paid);
    if (!id) return register();
    for (const ids of [pulled, paid]) if (ids.includes(id)) ids.splice(ids.indexOf(id), 1);
    return { kind: 'remove', method: 'delete', path: `/customers/external-accounts/${id}`, body: undefined };
  };
  const configure = (): Planned => {
    const webhookEndpoint = random.oneOf([null, 'https://pay.example/hooks']);
    return { kind: 'configure', method: 'patch', path: '/config', body: { webhookEndpoint } };
  };
  const join = (): Planned => post('customer', '/customers', individual());

  const plans: readonly [number, () => Planned][] = [
    [4, join],
    [10, register],
    [10, fund],
    [18, quoteToAccount],
    [6, quoteFunded],
    [10, lookUp],
    [18, execute],
    [12, transfer],
    [6, receive],
    [4, decide],
    [3, remove],
    [1, configure],
  ];
  const total = plans.reduce((sum, [weight]) => sum + weight, 0);
  const choose = (): Planned => {
    const ready = waiting.shift();
    if (ready) return ready;
    let left = random.between(0, total - 1);
    const found = plans.find(([weight]) => {
      left -= weight;
      return left < 0;
    });
    return (found?.[1] ?? fund)();
  };

  const send = async (client: Client, { method, path, body, key }: MixedRequest): Promise<Answer> => {
    if (method === 'get') return client.get(path);
    if (method === 'patch') return client.patch(path, body);
    if (method === 'delete') return client.delete(path);
    return client.post(path, body, key ? { 'idempotency-key': key } : {});
  };

  /** A busy machine refuses early, and says when to come again. */
  const attempt = async (connect: () => Promise<Client>, request: MixedRequest): Promise<Answer> => {
    for (let refused = 0; ; refused++) {
      const answer = await send(await connect(), request);
      const seconds = Number(answer.headers.get('retry-after'));
      if (answer.status !== 503 || !(seconds > 0) || refused === refusedMax) return answer;
      await sleep(seconds * 1_000);
    }
  };

  return {
    sent,
    async next(connect) {
      const number = ++count;
      const { learn, keyed, ...planned } = choose();
      const key = keyed && random.between(0, 1) === 0 ? `mix-${number}` : undefined;
      const request: MixedRequest = { ...planned, key, answers: [] };
      sent.push(request);
      for (let tries = 0; tries < 5 && request.answers.length === 0; tries++) {
        const answer = await attempt(connect, request).catch(() => undefined);
        if (answer) request.answers.push(answer);
        else if (!key) return;
      }
      const [answer] = request.answers;
      if (answer && answer.status < 300) learn?.(answer.body);
    },
  };
}
