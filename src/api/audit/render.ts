import { z } from 'zod';
import type { StatementEntry } from '../../../projections/models/ledger-statements.ts';
import { postingsOf } from '../../domain/books/postings.ts';
import { idField } from '../../kernel/ids.ts';
import type { HistoryEntry } from '../../use-cases/audit/history.ts';
import { asOfSchema } from '../accounts/render.ts';
import { currencyAmountSchema, renderAmount } from '../fields/amounts.ts';
import { shownCause } from '../fields/cause.ts';
import { auditClock } from '../fields/enumerations.ts';
import { pageOf, present, timestamp } from '../fields/fields.ts';

const instant = {
  clock: auditClock,
  at: timestamp.meta({ description: 'The moment; what it brought belongs to it.' }),
};

export const balanceAtSchema = z
  .object({ accountId: idField('InternalAccount'), ...instant, balance: currencyAmountSchema, ...asOfSchema })
  .meta({ id: 'BalanceAt' });

const position = z.string().meta({ description: 'The place in the log.' });
const bothClocks = {
  recordedAt: timestamp.meta({ description: 'When the log got it.' }),
  happenedAt: timestamp.meta({
    description:
      'When it happened: at the latest when it was recorded, also where a clock of the sandbox was put forward.',
  }),
};

const statementEntrySchema = z
  .object({
    position,
    eventId: z.uuid(),
    transactionId: idField('Transaction').optional(),
    amount: currencyAmountSchema.meta({ description: 'Negative where it left the account.' }),
    balance: currencyAmountSchema.meta({ description: 'What the account held after the entry.' }),
    ...bothClocks,
  })
  .meta({ id: 'StatementEntry' });

export const statementSchema = pageOf(statementEntrySchema)
  .extend({
    clock: auditClock,
    opening: currencyAmountSchema.meta({ description: 'What the account held before the period.' }),
    closing: currencyAmountSchema.meta({ description: 'What it held at its end.' }),
    ...asOfSchema,
  })
  .meta({ id: 'Statement' });

export const renderEntry = (entry: StatementEntry): z.input<typeof statementEntrySchema> =>
  present({
    position: entry.position.toString(),
    eventId: entry.event_id,
    transactionId: entry.transaction_id ?? undefined,
    amount: renderAmount(entry),
    balance: renderAmount({ minor: entry.balance, currency: entry.currency }),
    recordedAt: entry.at.toISOString(),
    happenedAt: entry.happened_at.toISOString(),
  });

export const historyEntrySchema = z
  .object({
    position,
    eventId: z.uuid(),
    revision: z.int().min(0).meta({ description: "The event's place in the history, from 0." }),
    type: z.string().meta({ description: 'The type of the event (docs/reference/events.md).' }),
    description: z.string().meta({ description: 'What happened, in a sentence. Programs go by the type.' }),
    actor: z
      .string()
      .meta({ description: 'Who did it: `token:…`, `agent:…`, `operator`, or what runs by itself.' }),
    requestId: z.string().optional().meta({ description: 'X-Request-Id of the request that did it.' }),
    postings: z.array(z.object({ account: z.string(), amount: currencyAmountSchema })).meta({
      description: 'What it moved; empty where it moved nothing. The sum is zero in each currency.',
    }),
    ...bothClocks,
  })
  .meta({ id: 'HistoryEntry' });

export const historyPageSchema = pageOf(historyEntrySchema).meta({ id: 'History' });

export function renderHistoryEntry({
  event,
  revision,
  moments,
  says,
}: HistoryEntry): z.input<typeof historyEntrySchema> {
  const { actor, isOwn } = shownCause(event.metadata);
  return present({
    position: event.position.toString(),
    eventId: event.id,
    revision,
    type: event.type,
    description: says,
    actor,
    requestId: isOwn ? event.metadata.correlationId : undefined,
    postings: postingsOf(event).map(({ account, ...money }) => ({ account, amount: renderAmount(money) })),
    recordedAt: moments.recorded.toISOString(),
    happenedAt: moments.happened.toISOString(),
  });
}
