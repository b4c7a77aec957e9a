/** An installation: all that shares one log. It is a sandbox or production from its first start on, and stays so. */
import type { Decider } from '../../kernel/decider.ts';
import { derivedUuid } from '../../kernel/ids.ts';
import type { Environment } from '../platforms/events.ts';
import type { InstallationEvent } from './events.ts';

/** Whoever founds it first decides; for everybody after that nothing changes. */
export type InstallationCommand = {
  readonly type: 'FoundInstallation';
  readonly environment: Environment;
  readonly at: Date;
};

export type Installation =
  | { readonly status: 'none' }
  | { readonly status: 'founded'; readonly environment: Environment };

export const installation: Decider<Installation, InstallationCommand, InstallationEvent> = {
  initial: { status: 'none' },
  decide: ({ environment, at }, state) =>
    state.status === 'none' ? [{ type: 'InstallationFounded', data: { environment, at } }] : [],
  evolve: (_state, { data: { environment } }) => ({ status: 'founded', environment }),
};

/** A log has one installation. */
export const installationStream = derivedUuid('installation');
