import { z } from 'zod';
import { idField } from '../../../kernel/ids.ts';
import { Rejected } from '../../../kernel/rejected.ts';
import type { Fault } from '../../../sandbox/faults/rules.ts';
import { present, timestamp } from '../../fields/fields.ts';
import { statusOf } from '../../refusals.ts';

const effectSchema = z.object({
  kind: z.string(),
  code: z.string().optional(),
  status: z.int().optional().meta({ description: 'The status that goes with the code.' }),
  when: z.string().optional(),
  delay: z.string().optional().meta({ description: 'ISO 8601, in seconds.' }),
});

export const faultSchema = z
  .object({
    id: idField('Fault'),
    match: z.object({
      operationId: z.string().optional(),
      webhookType: z.string().optional(),
      accountId: z.string().optional(),
      currency: z.string().optional(),
      paymentRail: z.string().optional(),
      percent: z.int().optional(),
    }),
    effect: effectSchema,
    remaining: z.int().min(0).optional().meta({ description: 'How often it may still happen.' }),
    createdAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({ id: 'SandboxFault' });

export const renderFault = ({ id, match, effect, remaining, createdAt, expiresAt }: Fault) =>
  present({
    id,
    match: present(match),
    effect: renderEffect(effect),
    remaining,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  });

function renderEffect(effect: Fault['effect']) {
  const { kind } = effect;
  return {
    kind,
    ...('code' in effect && { code: effect.code, status: statusOf[effect.code] }),
    ...('when' in effect && { when: effect.when }),
    ...('delayMs' in effect && { delay: `PT${effect.delayMs / 1_000}S` }),
  };
}

export const faultNotFound = () => new Rejected('REFERENCE_NOT_FOUND', 'There is no such fault.');
