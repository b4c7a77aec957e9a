/** What seals personal texts in the log, and opens them. */
import { eventSchemas } from '../../../domain/aggregates.ts';
import { personsOf } from '../../../domain/persons.ts';
import type { Hide } from '../../../infrastructure/commands/deciding.ts';
import { personKeys } from '../../../infrastructure/personal-data/keys.ts';
import { createVault, type Vault } from '../../../infrastructure/personal-data/vault.ts';
import type { Pool } from '../../../infrastructure/postgres/pool.ts';
import { createSealer, type MasterKeys } from '../../../infrastructure/secrets/sealing.ts';

export const hidingFor =
  ({ hide }: Pick<Vault, 'hide'>): Hide =>
  (stored, event, state) =>
    hide(stored, () => personsOf(event as Parameters<typeof personsOf>[0], state));

/** Of a command: without the master key it throws where something personal is to be read or written. */
export function openVault(pool: Pool, masterKeys: MasterKeys | undefined): Vault {
  if (masterKeys) return createVault(eventSchemas, personKeys(pool, createSealer(masterKeys)));
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
