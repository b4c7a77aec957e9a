/** The clock of a platform of the sandbox. It never goes back: what was stamped stays in the past. */
import type { Decider } from '../../kernel/decider.ts';
import type { PlatformId } from '../../kernel/ids.ts';
import type { PlatformClockEvent } from './events.ts';

export type PlatformClock =
  /** Shows the installation's time. */
  | { readonly status: 'FOLLOWING' }
  | { readonly status: 'FROZEN'; readonly at: Date }
  /** Runs, this much ahead of the installation's; negative where it is behind. */
  | { readonly status: 'RUNNING'; readonly aheadMs: number };

/** `installationAt` is the installation's time. What a process knows of the platform's may be old. */
type Own = { readonly platformId: PlatformId; readonly installationAt: Date };

export type PlatformClockCommand =
  | (Own & { readonly type: 'FreezeClock' })
  /** Stops a clock that runs; one that shows a later time already stays there. */
  | (Own & { readonly type: 'AdvanceClock'; readonly to: Date })
  | (Own & { readonly type: 'ResumeClock' });

export const platformClock: Decider<PlatformClock, PlatformClockCommand, PlatformClockEvent> = {
  initial: { status: 'FOLLOWING' },
  decide(command, state) {
    const { platformId, installationAt } = command;
    const at = shown(state, installationAt);
    const stop: readonly PlatformClockEvent[] =
      state.status === 'FROZEN' ? [] : [{ type: 'PlatformClockFrozen', data: { platformId, at } }];
    switch (command.type) {
      case 'FreezeClock':
        return stop;
      case 'AdvanceClock':
        if (command.to <= at) return stop;
        return [...stop, { type: 'PlatformClockAdvanced', data: { platformId, from: at, at: command.to } }];
      case 'ResumeClock': {
        if (state.status !== 'FROZEN') return [];
        const aheadMs = at.getTime() - installationAt.getTime();
        return [{ type: 'PlatformClockResumed', data: { platformId, at, aheadMs } }];
      }
    }
  },
  evolve(_state, { type, data }) {
    if (type === 'PlatformClockResumed') return { status: 'RUNNING', aheadMs: data.aheadMs };
    return { status: 'FROZEN', at: data.at };
  },
};

function shown(clock: PlatformClock, installationAt: Date): Date {
  if (clock.status === 'FROZEN') return clock.at;
  return clock.status === 'FOLLOWING' ? installationAt : new Date(installationAt.getTime() + clock.aheadMs);
}
