import type { Timer } from '../../projections/tables/transactions.ts';
import { isId, uuidOf } from '../kernel/ids.ts';
import { invariant } from '../kernel/invariant.ts';
import type { Commands } from './commands.ts';
import { endInvitation } from './invitations/answer.ts';
import type { Payments } from './payments/rail-payments/rail-payments.ts';

type Deps = { readonly commands: Commands; readonly payments: Payments; readonly now: () => Date };

/**
 * Does what was due at a time that has come: of a payment, a quote, an invitation or a deletion. Safe to repeat. Returns until
 * when it is no use to repeat it, where that is known.
 */
export type RunTimer = (timer: Pick<Timer, 'subject' | 'platform_id' | 'kind'>) => Promise<Date | undefined>;

export const createRunTimer =
  ({ commands, payments, now }: Deps): RunTimer =>
  async ({ subject, platform_id: platformId, kind }) => {
    const [uuid, at] = [uuidOf(subject), now()];
    const cause = {
      platformId,
      correlationId: `timer:${subject}`,
      causationId: `timer:${kind}`,
      actor: 'timer',
    };
    switch (kind) {
      case 'check-payment':
        invariant(isId('Transaction', subject), `no payment to check: ${subject}`);
        return payments.check(subject, cause);
      case 'end-approval':
        await commands.run('transaction', uuid, { type: 'EndApproval', at }, cause);
        return undefined;
      case 'expire-quote':
        await commands.run('transaction', uuid, { type: 'ExpireQuote', at }, cause);
        return undefined;
      case 'abandon-deletion': {
        const customer = await commands.load('customer', uuid);
        const deletion = customer.status === 'active' ? customer.deletion?.n : undefined;
        if (deletion === undefined) return undefined;
        await commands.run('customer', uuid, { type: 'AbandonDeletion', deletion, at }, cause);
        return undefined;
      }
      case 'expire-invitation':
        await endInvitation({ commands, now }, uuid, cause);
        return undefined;
    }
  };
