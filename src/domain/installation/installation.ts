/** An installation: all that shares one log. It is a sandbox or production from its first start on, and stays so. */
import type { Decider } from '../../kernel/decider.ts';
import { derivedUuid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Environment } from '../platforms/events.ts';
import type { InstallationEvent } from './events.ts';

export type InstallationCommand =
  /** Whoever founds it first decides; for everybody after that nothing changes. */
  | { readonly type: 'FoundInstallation'; readonly environment: Environment; readonly at: Date }
  /** Says what the log had before each event had a hash. It is said once. */
  | { readonly type: 'SealLog'; readonly events: number; readonly root: string; readonly at: Date };

export type Installation =
  | { readonly status: 'none' }
  | { readonly status: 'founded'; readonly environment: Environment; readonly isSealed: boolean };

export const installation: Decider<Installation, InstallationCommand, InstallationEvent> = {
  initial: { status: 'none' },

  decide(command, state) {
    switch (command.type) {
      case 'FoundInstallation': {
        const { environment, at } = command;
        return state.status === 'none' ? [{ type: 'InstallationFounded', data: { environment, at } }] : [];
      }
      case 'SealLog': {
        const { events, root, at } = command;
        invariant(state.status === 'founded', 'the log of no installation is sealed');
        return state.isSealed ? [] : [{ type: 'LogSealed', data: { events, root, at } }];
      }
    }
  },

  evolve(state, event) {
    if (event.type === 'InstallationFounded')
      return { status: 'founded', environment: event.data.environment, isSealed: false };
    invariant(state.status === 'founded', 'the log was sealed before it had an installation');
    return { ...state, isSealed: true };
  },
};

/** A log has one installation. */
export const installationStream = derivedUuid('installation');
