import { z } from 'zod';
import { type EventOf, instant, minorUnits, moneyCodec, personal } from '../../kernel/codecs.ts';
import { idField } from '../../kernel/ids.ts';
import { postings, systemAccounts } from '../books/postings.ts';
import { agentAction, quoteTerms, transferTerms } from '../payments/events.ts';
import { signedBy } from '../wallets/events.ts';

export const accountTypes = ['INTERNAL_FIAT', 'INTERNAL_CRYPTO', 'EMBEDDED_WALLET'] as const;
export type AccountType = (typeof accountTypes)[number];

/** Only an ACTIVE account sends or receives. */
export const accountStatuses = ['PENDING', 'ACTIVE', 'CLOSED', 'FROZEN'] as const;
export type AccountStatus = (typeof accountStatuses)[number];

const booking = {
  accountId: idField('InternalAccount'),
  /** Unique within the account: a repeat of the command that booked it books nothing. */
  entryId: z.string().min(1),
  /** The payment that this entry belongs to. */
  transactionId: idField('Transaction'),
  /** What the command was run for: a repeat by the same request is told apart from a second request. */
  requestedBy: z.string().min(1),
  amount: moneyCodec,
  balanceAfter: minorUnits,
  postings,
  at: instant,
};

/** What the service knows about money from outside. */
const depositOrigin = z.object({ reference: z.string().min(1), platformCustomerId: z.string().nullable() });
export type DepositOrigin = z.output<typeof depositOrigin>;

/** Persisted for ever: add optional fields; never rename, retype or reuse one. */
export const accountEvents = {
  AccountOpened: z.object({
    platformId: idField('Platform'),
    accountId: idField('InternalAccount'),
    /** Null for the platform's own account. */
    customerId: idField('Customer').nullable(),
    accountType: z.enum(accountTypes),
    currency: z.string().min(1),
    status: z.enum(accountStatuses),
    at: instant,
  }),
  AccountDebited: z.object({
    ...booking,
    purpose: z.enum(['payout', 'transfer']),
    /** The payment that this debit begins, where it had no stream before: carries all that is needed to finish it. */
    opens: z
      .discriminatedUnion('kind', [
        z.object({ kind: z.literal('quote'), terms: quoteTerms }),
        z.object({ kind: z.literal('transfer'), terms: transferTerms }),
      ])
      .optional(),
    /** The agent's action that the debit is for. */
    agentAction: agentAction.optional(),
    /** Of an embedded wallet: whose session key signed the quote's `payloadToSign`. Absent in events of former versions. */
    signedBy: signedBy.optional(),
  }),
  /** A debit for an agent's action was refused, and stays refused: what follows can rest on it. */
  DebitRefused: z.object({
    accountId: idField('InternalAccount'),
    transactionId: idField('Transaction'),
    agentAction,
    amount: moneyCodec,
    code: z.string().min(1),
    message: z.string(),
    at: instant,
  }),
  /** Money that arrived outside was refused, and its rail's operator told: it stays refused, unless the operator decides otherwise. */
  DepositRefused: z.object({
    accountId: idField('InternalAccount'),
    /** The entry that was not booked; where an operator had decided about it, followed by `:` and the decision's name. */
    entryId: z.string().min(1),
    transactionId: idField('Transaction'),
    amount: moneyCodec,
    code: z.string().min(1),
    message: z.string(),
    at: instant,
  }),
  AccountCredited: z.object({
    ...booking,
    purpose: z.enum(['deposit', 'payment', 'refund']),
    /** Who owns the account, so that a deposit can be recorded from this event alone. */
    customerId: idField('Customer').nullable(),
    deposit: depositOrigin.optional(),
    /** Of a credit that the account held: its number, counted from 1. Former versions left it out. */
    held: z.int().min(1).optional(),
    /** The account holds others that were not looked at yet: what fits of them is credited next. */
    more: z.literal(true).optional(),
  }),
  /** Money is on its way that the account has no room for, or must not take: it is credited later, by itself. */
  CreditHeld: z.object({
    accountId: idField('InternalAccount'),
    /** The entry that will be booked. */
    entryId: z.string().min(1),
    transactionId: idField('Transaction'),
    requestedBy: z.string().min(1),
    amount: moneyCodec,
    purpose: z.enum(['payment', 'refund']),
    /** Where the money is until then. */
    from: z.enum(systemAccounts),
    /** Why, where it is not for want of room: then it is credited when the account is frozen or halted no more. */
    because: z.enum(['frozen', 'halted']).optional(),
    at: instant,
  }),
  /** Money on its way came to an account that is closed: it is not booked, and the payment fails. */
  CreditRefused: z.object({
    accountId: idField('InternalAccount'),
    /** The entry that was not booked. */
    entryId: z.string().min(1),
    transactionId: idField('Transaction'),
    amount: moneyCodec,
    code: z.string().min(1),
    /** Of a credit that the account held until it was closed: its number. */
    held: z.int().min(1).optional(),
    /** The account holds others that were not looked at yet. */
    more: z.literal(true).optional(),
    at: instant,
  }),
  /** Its customer is being deleted: it gives and takes nothing, until it is closed or that is abandoned. */
  AccountHalted: z.object({ accountId: idField('InternalAccount'), deletion: z.int().min(1), at: instant }),
  /** The deletion of its customer was abandoned; it halts the account no more, should that come late. */
  HaltLifted: z.object({ accountId: idField('InternalAccount'), deletion: z.int().min(1), at: instant }),
  AccountStatusChanged: z.object({
    accountId: idField('InternalAccount'),
    status: z.enum(accountStatuses),
    /** The status before; absent in events of former versions. */
    from: z.enum(accountStatuses).optional(),
    /** Of whoever froze the account or lifted that; who it was is the actor of the event. */
    reason: personal(z.string()).optional(),
    at: instant,
  }),
};
export type OpenedPayment = NonNullable<z.output<(typeof accountEvents)['AccountDebited']>['opens']>;
export type AccountEvent = EventOf<typeof accountEvents>;
