/** What seals personal texts in the log, and opens them. */
import { eventSchemas } from '../../../domain/aggregates.ts';
import { accountPaidIn, addressIn, personsOf } from '../../../domain/persons.ts';
import type { Hide } from '../../../infrastructure/commands/deciding.ts';
import { personKeys } from '../../../infrastructure/personal-data/keys.ts';
import { createVault, type Vault } from '../../../infrastructure/personal-data/vault.ts';
import type { Pool } from '../../../infrastructure/postgres/pool.ts';
import { createSealer, type MasterKeys } from '../../../infrastructure/secrets/sealing.ts';
import type { Commands } from '../../../use-cases/commands.ts';
import { namedAt } from '../../../use-cases/find/named.ts';

/** `load` reads the log that the events are for. */
export const hidingFor =
  ({ hide, isErased }: Pick<Vault, 'hide' | 'isErased'>, load: () => Commands['load']): Hide =>
  (stored, anyEvent, state) => {
    const event = anyEvent as Parameters<typeof personsOf>[0];
    const hideFor = (named?: readonly string[]) => hide(stored, () => personsOf(event, state, named));
    const address = addressIn(event);
    if (address === undefined) return hideFor();
    return namedAt({ commands: { load: load() }, isErased }, address).then(hideFor);
  };

/** Of a command: without the master key it throws where something personal is to be read or written. */
export function openVault(pool: Pool, masterKeys: MasterKeys | undefined): Vault {
  if (masterKeys)
    return createVault(eventSchemas, personKeys(pool, createSealer(masterKeys)), {
      alsoAbout: accountPaidIn,
    });
  const locked = () => {
    throw new Error(
      'Personal data in the log is sealed: set DAYBOOK_MASTER_KEY, or DAYBOOK_DATA_DIR to the directory that keeps it.',
    );
  };
  const keys = {
    made: locked,
    found: locked,
    destroyed: async () => new Set<string>(),
    destroy: locked,
    forget: () => undefined,
  };
  return createVault(eventSchemas, keys);
}
