/** The clock of a platform of the sandbox. It never goes back: what was stamped stays in the past. */
import type { Decider } from '../../kernel/decider.ts';
import type { PlatformId } from '../../kernel/ids.ts';
import type { PlatformClockEvent } from './events.ts';

export type PlatformClock =
  /** Shows the installation's time. */
  | { readonly status: 'FOLLOWING' }
  | {
      readonly status: 'FROZEN';
      readonly at: Date;
      /** It stands still for an advance alone. */
      readonly forAdvance: boolean;
    }
  /** Runs, this much ahead of the installation's; negative where it is behind. */
  | { readonly status: 'RUNNING'; readonly aheadMs: number };

/** `installationAt` is the installation's time. What a process knows of the platform's may be old. */
type Own = { readonly platformId: PlatformId; readonly installationAt: Date };

export type PlatformClockCommand =
  /** Stops a clock for good, one too that stands still for an advance. */
  | (Own & { readonly type: 'FreezeClock' })
  /** Stops a clock that runs, for an advance. */
  | (Own & { readonly type: 'BeginAdvance' })
  /** Stops a clock that runs; one that shows a later time already stays there. */
  | (Own & { readonly type: 'AdvanceClock'; readonly to: Date; readonly forAdvance: boolean })
  /** Has a clock go on that stands still for an advance. */
  | (Own & { readonly type: 'EndAdvance' })
  | (Own & { readonly type: 'ResumeClock' });

export const platformClock: Decider<PlatformClock, PlatformClockCommand, PlatformClockEvent> = {
  initial: { status: 'FOLLOWING' },
  decide(command, state) {
    const { platformId, installationAt } = command;
    const at = shown(state, installationAt);
    const stands = state.status === 'FROZEN';
    const stop = (forAdvance: boolean): readonly PlatformClockEvent[] => [
      { type: 'PlatformClockFrozen', data: { platformId, at, ...(forAdvance && { forAdvance }) } },
    ];
    const goOn = (): readonly PlatformClockEvent[] => [
      {
        type: 'PlatformClockResumed',
        data: { platformId, at, aheadMs: at.getTime() - installationAt.getTime() },
      },
    ];
    switch (command.type) {
      case 'FreezeClock':
        return stands && !state.forAdvance ? [] : stop(false);
      case 'BeginAdvance':
        return stands ? [] : stop(true);
      case 'AdvanceClock': {
        const stopped = stands ? [] : stop(command.forAdvance);
        if (command.to <= at) return stopped;
        return [
          ...stopped,
          { type: 'PlatformClockAdvanced', data: { platformId, from: at, at: command.to } },
        ];
      }
      case 'EndAdvance':
        return stands && state.forAdvance ? goOn() : [];
      case 'ResumeClock':
        return stands ? goOn() : [];
    }
  },
  evolve(state, { type, data }) {
    switch (type) {
      case 'PlatformClockResumed':
        return { status: 'RUNNING', aheadMs: data.aheadMs };
      case 'PlatformClockFrozen':
        return { status: 'FROZEN', at: data.at, forAdvance: data.forAdvance ?? false };
      case 'PlatformClockAdvanced':
        return { status: 'FROZEN', at: data.at, forAdvance: state.status === 'FROZEN' && state.forAdvance };
    }
  },
};

function shown(clock: PlatformClock, installationAt: Date): Date {
  if (clock.status === 'FROZEN') return clock.at;
  return clock.status === 'FOLLOWING' ? installationAt : new Date(installationAt.getTime() + clock.aheadMs);
}
