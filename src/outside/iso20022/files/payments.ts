/**
 * What is known of each payment that was handed to this rail: one file for each fact, written once. The first fact of a
 * payment is that it was taken or that it never leaves, not both. Whom it pays is known until its order was shown.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { failureReasons } from '../../../domain/payments/events.ts';
import type { Money } from '../../../kernel/money.ts';
import { currencies } from '../values/amounts.ts';
import { readIfAny, writeAnew, writeOnce } from './atomic.ts';

const minor = z.string().regex(/^\d{1,18}$/);

const transfer = z.object({
  endToEndId: z.string(),
  instructionId: z.string(),
  amount: z.object({
    minor: z.codec(minor, z.bigint(), { decode: (text) => BigInt(text), encode: (number) => String(number) }),
    currency: z.enum(currencies),
  }),
  creditorName: z.string(),
  creditor: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('iban'), iban: z.string(), bic: z.string().optional() }),
    z.object({ kind: z.literal('sort-code'), sortCode: z.string(), accountNumber: z.string() }),
  ]),
  remittance: z.string(),
  isInstant: z.boolean(),
});

const first = z.discriminatedUnion('was', [
  z.object({ was: z.literal('taken'), paymentId: z.string(), at: z.string(), transfer }),
  z.object({
    was: z.literal('withdrawn'),
    paymentId: z.string(),
    at: z.string(),
    /** Of one that this rail does not carry; without it, the payment was called back. */
    reason: z.enum(failureReasons).optional(),
  }),
]);
export type First = z.output<typeof first>;

/** In the place of a payee that is not known any more: a process of an earlier version reads it as well. */
const nobody = { creditorName: '', creditor: { kind: 'iban', iban: '' }, remittance: '' } as const;

const sent = z.object({ messageId: z.string(), at: z.string() });
/** `source` names what said so: an entry of a statement, a line of a report. */
const said = z.object({ source: z.string(), reasonCode: z.string().optional(), at: z.string() });
export type Said = z.output<typeof said>;

/** `credited`: the money of a return is on the account. With a number: of the debit that was the second, third and so on. */
type Way = 'debited' | 'returned' | 'credited';
type What = 'refused' | Way | `${Way}-${number}`;

export type Facts = {
  readonly first: First;
  readonly sent: z.output<typeof sent> | undefined;
  /** The bank refused it. */
  readonly refused: Said | undefined;
  /** The bank has debited the account. */
  readonly debited: Said | undefined;
  readonly returned: Said | undefined;
};

/** Whether the payment was taken, and is of that amount. */
export const isOfAmount = ({ first }: Facts, amount: Money): boolean =>
  first.was === 'taken' &&
  first.transfer.amount.minor === amount.minor &&
  first.transfer.amount.currency === amount.currency;

export type Payments = {
  /** What is there afterwards, by whomever: what is given, or what came first. */
  readonly begin: (endToEndId: string, fact: First) => Promise<First>;
  /** Whether the fact is of this message: each payment goes out in one. */
  readonly send: (endToEndId: string, messageId: string, at: Date) => Promise<boolean>;
  /** Leaves out whom it pays, where it went out in this message: nothing needs it after that. */
  readonly forgetPayee: (endToEndId: string, messageId: string) => Promise<void>;
  /** Whether the fact is from this source, now or earlier. */
  readonly say: (endToEndId: string, what: What, fact: Said) => Promise<boolean>;
  /** What has said so first. */
  readonly sourceOf: (endToEndId: string, what: What) => Promise<string | undefined>;
  readonly factsOf: (endToEndId: string) => Promise<Facts | undefined>;
};

/** Identifiers of payments, as this rail makes them; a file is never named by what somebody else has written. */
const ownId = /^[0-9a-f]{32}$/;

/** An identifier as banks give it back: in capitals, say. */
export const ownEndToEndId = (text: string | undefined): string | undefined => {
  const plain = text?.trim().toLowerCase();
  return plain && ownId.test(plain) ? plain : undefined;
};

export function openPayments(state: string): Payments {
  const pathOf = (endToEndId: string, fact: string) =>
    join(state, 'payments', endToEndId.slice(-2), `${endToEndId}.${fact}.json`);
  const read = async <Fact>(schema: z.ZodType<Fact>, endToEndId: string, name: string) => {
    const text = await readIfAny(pathOf(endToEndId, name));
    return text === undefined ? undefined : schema.parse(JSON.parse(text));
  };
  const readFirst = (endToEndId: string) => read<First>(first, endToEndId, 'first');

  return {
    async begin(endToEndId, fact) {
      const known = await readFirst(endToEndId);
      if (known) return known;
      await writeOnce(pathOf(endToEndId, 'first'), JSON.stringify(first.encode(fact)));
      return (await readFirst(endToEndId)) ?? fact;
    },
    async send(endToEndId, messageId, at) {
      const fact = { messageId, at: at.toISOString() };
      if (await writeOnce(pathOf(endToEndId, 'sent'), JSON.stringify(fact))) return true;
      return (await read(sent, endToEndId, 'sent'))?.messageId === messageId;
    },
    async forgetPayee(endToEndId, messageId) {
      const known = await readFirst(endToEndId);
      if (known?.was !== 'taken' || known.transfer.creditorName === nobody.creditorName) return;
      if ((await read(sent, endToEndId, 'sent'))?.messageId !== messageId) return;
      const fact = { ...known, transfer: { ...known.transfer, ...nobody } };
      await writeAnew(pathOf(endToEndId, 'first'), JSON.stringify(first.encode(fact)));
    },
    async say(endToEndId, what, fact) {
      if (await writeOnce(pathOf(endToEndId, what), JSON.stringify(fact))) return true;
      return (await read(said, endToEndId, what))?.source === fact.source;
    },
    sourceOf: async (endToEndId, what) => (await read(said, endToEndId, what))?.source,
    async factsOf(endToEndId) {
      const known = await readFirst(endToEndId);
      if (!known) return undefined;
      return {
        first: known,
        sent: await read(sent, endToEndId, 'sent'),
        refused: await read(said, endToEndId, 'refused'),
        debited: await read(said, endToEndId, 'debited'),
        returned: await read(said, endToEndId, 'returned'),
      };
    },
  };
}
