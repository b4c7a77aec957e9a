import { z } from 'zod';
import type { TimerKind } from '../../../../projections/tables/transactions.ts';
import type { Advanced } from '../../../workers/platform-clocks/advance.ts';
import type { Shown } from '../../../workers/platform-clocks/standing.ts';
import { timestamp } from '../../fields/fields.ts';

const clock = z.object({
  status: z.enum(['FOLLOWING', 'FROZEN', 'RUNNING']).meta({
    description: 'FOLLOWING shows the time of the installation; RUNNING is ahead of it, or behind.',
  }),
  now: timestamp,
  nextTimerAt: timestamp
    .optional()
    .meta({ description: 'When a timer, or the attempt of a webhook, is due next.' }),
});

export const clockSchema = clock.meta({ id: 'SandboxClock' });

const kinds = {
  'expire-quote': 'EXPIRE_QUOTE',
  'end-approval': 'END_APPROVAL',
  'check-payment': 'CHECK_PAYMENT',
  'expire-invitation': 'EXPIRE_INVITATION',
  'abandon-deletion': 'ABANDON_DELETION',
} as const satisfies Record<TimerKind, string>;

const firedSchema = z.object({
  kind: z.enum(kinds).meta({
    description:
      'ABANDON_DELETION lets go of a customer whose deletion was cut short, so that it can be asked for again.',
  }),
  objectId: z.string(),
  dueAt: timestamp,
});

export const advancedSchema = clock
  .extend({
    fired: z.array(firedSchema).meta({ description: 'In the order in which they have fired, up to 100.' }),
    firedCount: z.int().min(0),
  })
  .meta({ id: 'SandboxAdvancedClock' });

export const renderClock = ({ status, now, nextDueAt }: Shown) => ({
  status,
  now: now.toISOString(),
  ...(nextDueAt && { nextTimerAt: nextDueAt.toISOString() }),
});

export const renderAdvanced = ({ fired, firedCount, ...shown }: Shown & Advanced) => ({
  ...renderClock(shown),
  fired: fired.map(({ kind, subject, dueAt }) => ({
    kind: kinds[kind],
    objectId: subject,
    dueAt: dueAt.toISOString(),
  })),
  firedCount,
});
