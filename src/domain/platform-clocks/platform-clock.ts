/** The clock of a platform of the sandbox. It never goes back: what was stamped stays in the past. */
import type { Decider } from '../../kernel/decider.ts';
import type { PlatformId } from '../../kernel/ids.ts';
import { badField } from '../../kernel/rejected.ts';
import type { PlatformClockEvent } from './events.ts';

export type PlatformClock =
  /** Shows the installation's time. */
  | { readonly status: 'FOLLOWING' }
  | { readonly status: 'FROZEN'; readonly at: Date }
  /** Runs, this much ahead of the installation's; negative where it is behind. */
  | { readonly status: 'RUNNING'; readonly aheadMs: number };

type Own = { readonly platformId: PlatformId };

export type PlatformClockCommand =
  /** `at` is the platform's time. */
  | (Own & { readonly type: 'FreezeClock'; readonly at: Date })
  | (Own & { readonly type: 'AdvanceClock'; readonly to: Date })
  /** `installationAt` is the installation's time. */
  | (Own & { readonly type: 'ResumeClock'; readonly installationAt: Date });

export const platformClock: Decider<PlatformClock, PlatformClockCommand, PlatformClockEvent> = {
  initial: { status: 'FOLLOWING' },
  decide(command, state) {
    const { platformId } = command;
    switch (command.type) {
      case 'FreezeClock':
        if (state.status === 'FROZEN') return [];
        return [{ type: 'PlatformClockFrozen', data: { platformId, at: command.at } }];
      case 'AdvanceClock': {
        if (state.status !== 'FROZEN') throw badField('to', 'needs a clock that stands still');
        const { at: from } = state;
        if (command.to < from)
          throw badField('to', `is before ${from.toISOString()}: a clock never goes back`);
        if (command.to.getTime() === from.getTime()) return [];
        return [{ type: 'PlatformClockAdvanced', data: { platformId, from, at: command.to } }];
      }
      case 'ResumeClock': {
        if (state.status !== 'FROZEN') return [];
        const { at } = state;
        const aheadMs = at.getTime() - command.installationAt.getTime();
        return [{ type: 'PlatformClockResumed', data: { platformId, at, aheadMs } }];
      }
    }
  },
  evolve(_state, { type, data }) {
    if (type === 'PlatformClockResumed') return { status: 'RUNNING', aheadMs: data.aheadMs };
    return { status: 'FROZEN', at: data.at };
  },
};
