import { createErasures, type Erasures, erasedChannel } from '../../workers/erasure/erasure.ts';
import type { Core } from './core.ts';
import type { Wallets } from './wallets.ts';

/** Erasing customers; what every process has read of one who was erased it forgets. */
export function openErasures(core: Core, { emails }: Pick<Wallets, 'emails'>): Erasures {
  const { persons, commands, listening, installationNow } = core;
  const forget = () => {
    persons.forget();
    commands.forget();
  };
  listening.on(erasedChannel, forget);
  return createErasures({ ...core, openMail: emails.open, now: installationNow, forget });
}
