/** What platforms know of what is their own, and what they saw that should not be. */
import type { SoftwareAuthenticator } from '../../../support/wallets/software-authenticator.ts';
import type { PlatformNumber } from '../client.ts';

/** With the credential that has opened it. */
export type Session = { readonly id: string; readonly privateKey: string; readonly credential: string };
export type Token = { readonly id: string; readonly clientId: string; readonly clientSecret: string };
/** A session of the console, with the token that has opened it; the platform's first where none is named. */
export type Desk = { readonly cookie: string; readonly tokenId: string | undefined };
/** A passkey has an authenticator; the others are of an identity provider, who knows the subject. */
export type FurtherCredential = {
  readonly id: string;
  readonly subject: string;
  readonly authenticator: SoftwareAuthenticator | undefined;
};
export type Wallet = {
  readonly account: string;
  /** The first one, by mailed codes. */
  credential?: string;
  readonly further: FurtherCredential[];
  sessions: Session[];
};

/** What a platform knows of what is its own, the newest last. */
export type Holdings = {
  readonly customers: Customer[];
  /** Customers too, who have owners and no wallet that is used. */
  readonly businesses: { readonly id: string; readonly owners: string[] }[];
  /** What is its own. */
  readonly treasury: { account?: string; readonly external: string[] };
  readonly external: { id: string; owner: string; currency: 'USD' | 'EUR' }[];
  /** Some run when what their instructions ask for is paid, the others when they are executed. Minor units of USD. */
  readonly quotes: {
    id: string;
    transactionId: string;
    asksFor: { readonly reference: string; readonly minor: bigint } | undefined;
  }[];
  readonly transactions: string[];
  /** Payments that it was told of since a snapshot that it has gone back to. */
  readonly undone: string[];
  readonly agents: { id: string; customer: string; accessToken: string }[];
  /** What agents have asked for and may not do by themselves: the path of each. */
  readonly actions: string[];
  readonly tokens: Token[];
  /** Those that are deleted for sure. */
  readonly closed: Token[];
  /** Credentials that are revoked for sure. */
  readonly revoked: FurtherCredential[];
  /** Who works at its console. */
  readonly desks: Desk[];
  /** Codes of invitations by its customers. */
  readonly invitations: string[];
  /** Accounts that are frozen, or were. */
  readonly frozen: string[];
  /** Of customers and owners, with the name that each has. */
  readonly documents: { readonly id: string; readonly name: string }[];
  /** Addresses of people who were erased. */
  readonly erased: string[];
};

export type Customer = {
  readonly id: string;
  /** All that there ever were. */
  readonly emails: string[];
  umaAddress: string;
  /** Changes that were asked for, and those of which nobody knows yet what came of them. */
  readonly changes: { begun: number; underWay: number };
  /** In USD, with what a payer names to reach it. */
  readonly account: string;
  readonly reference: string;
  /** The same in EUR. */
  readonly euro: { readonly account: string; readonly reference: string };
  readonly wallet: Wallet;
};

/** Where the customer's money in the currency is. */
export const accountIn = ({ account, euro }: Customer, currency: 'USD' | 'EUR'): string =>
  currency === 'USD' ? account : euro.account;

export type AllHoldings = readonly [Holdings, Holdings];

export const nothing = (): Holdings => ({
  customers: [],
  businesses: [],
  treasury: { external: [] },
  external: [],
  quotes: [],
  transactions: [],
  undone: [],
  agents: [],
  actions: [],
  tokens: [],
  closed: [],
  revoked: [],
  desks: [],
  invitations: [],
  frozen: [],
  documents: [],
  erased: [],
});

/** Has a list be what it is now, later. */
const kept = <Item>(list: Item[]): (() => void) => {
  const then = [...list];
  return () => void list.splice(0, list.length, ...then);
};

/**
 * What a platform knows now, to be what it knows again: once it has gone back to a snapshot. What was frozen may be so still,
 * who is signed in at the console stays, and who was erased is not there again.
 */
export function remember(holdings: Holdings): () => void {
  const { customers, businesses, treasury, external, quotes, transactions, undone } = holdings;
  const { agents, actions, tokens, closed, revoked, invitations, documents } = holdings;
  const lists = [
    ...[kept(customers), kept(businesses), kept(external), kept(quotes), kept(agents), kept(actions)],
    ...[kept(tokens), kept(closed), kept(revoked), kept(invitations), kept(documents)],
    ...[kept(treasury.external), ...businesses.map(({ owners }) => kept(owners))],
    ...customers.map((customer) => rememberCustomer(customer)),
  ];
  const paid = new Set(transactions);
  return () => {
    for (const putBack of lists) putBack();
    undone.push(...transactions.filter((id) => !paid.has(id)));
    transactions.splice(0, transactions.length, ...paid);
  };
}

function rememberCustomer(customer: Customer): () => void {
  const { umaAddress, wallet } = customer;
  const { credential } = wallet;
  const [further, sessions] = [kept(wallet.further), [...wallet.sessions]];
  return () => {
    further();
    wallet.sessions = [...sessions];
    customer.umaAddress = umaAddress;
    if (credential === undefined) delete wallet.credential;
    else wallet.credential = credential;
  };
}

export const otherThan = (by: PlatformNumber): PlatformNumber => (by === 0 ? 1 : 0);

/** What should have been answered, or should not. */
export const promises = [
  'who has written reads it',
  'nobody sees what is of another platform',
  'a session that was revoked signs nothing',
  'a clock that nobody stops goes on after its advance',
  'a credential that was revoked opens nothing',
  'a token that was deleted opens nothing',
  'a session of the console that has ended does nothing',
  'no snapshot is taken while two processes serve',
  'nothing begins for a customer who is deleted',
  'an invitation is claimed once',
  'a rebuild comes to nothing by a fault alone',
] as const;
export type Missed = { readonly path: string; readonly rule: (typeof promises)[number] };
