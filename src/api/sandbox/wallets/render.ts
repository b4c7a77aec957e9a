import { z } from 'zod';
import type { EmailRow } from '../../../../projections/tables/wallets.ts';
import type { Mail } from '../../../use-cases/wallets/codes/mail.ts';
import { present, timestamp } from '../../fields/fields.ts';

export const emailSchema = z
  .object({
    id: z.string(),
    from: z.object({ name: z.string(), address: z.string() }),
    to: z.string(),
    replyTo: z.string().optional(),
    subject: z.string(),
    text: z.string(),
    html: z.string().optional(),
    createdAt: timestamp,
  })
  .meta({ id: 'SandboxEmail' });

export const renderEmail = (
  { id, created_at }: Pick<EmailRow, 'id' | 'created_at'>,
  { from, to, replyTo, subject, text, html }: Mail,
): z.input<typeof emailSchema> =>
  present({ id: `Email:${id}`, from, to, replyTo, subject, text, html, createdAt: created_at.toISOString() });
