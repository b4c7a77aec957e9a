/** The log as the code reads and writes it: by the names that it knows, with the texts of persons opened. */
import { eventSchemas } from '../../../domain/aggregates.ts';
import { accountPaidIn } from '../../../domain/persons.ts';
import type { EventStore, StoredEvent } from '../../../infrastructure/event-store/event-store.ts';
import { type MovedStreams, openMovedStreams } from '../../../infrastructure/event-store/moved-streams.ts';
import type { Log } from '../../../infrastructure/observe/log.ts';
import { seldom } from '../../../infrastructure/observe/seldom.ts';
import { type PersonKeys, personKeys } from '../../../infrastructure/personal-data/keys.ts';
import { shownLog } from '../../../infrastructure/personal-data/shown-log.ts';
import { createVault, type Vault } from '../../../infrastructure/personal-data/vault.ts';
import { createSealer, type MasterKeys, type Sealer } from '../../../infrastructure/secrets/sealing.ts';
import type { Config } from '../../config.ts';
import { restored } from './event-store.ts';
import type { Stores } from './stores.ts';

export type ShownLog = {
  /** The log by the names that the code knows, without what platforms had before they were put back to a snapshot. */
  readonly store: EventStore;
  /** There in a sandbox only. */
  readonly moved: MovedStreams | undefined;
  readonly sealer: Sealer;
  /** Of customers, and of what is theirs: what seals personal texts in the log. */
  readonly persons: PersonKeys;
  readonly vault: Vault;
};

export async function openShownLog(
  { environment }: Pick<Config, 'environment'>,
  { wholeLog, pool }: Pick<Stores, 'wholeLog' | 'pool'>,
  masterKeys: MasterKeys,
  log: Log,
): Promise<ShownLog> {
  const moved = environment === 'sandbox' ? await openMovedStreams(wholeLog, restored) : undefined;
  const sealer = createSealer(masterKeys);
  const persons = personKeys(pool, sealer);
  const isToTell = seldom();
  const lostKey = ({ position, metadata: { personal } }: StoredEvent) => {
    if (isToTell())
      log.warn(
        { position: `${position}`, persons: personal?.of },
        'a key of a person was lost, and made anew',
      );
  };
  const vault = createVault(eventSchemas, persons, { lostKey, alsoAbout: accountPaidIn });
  return { store: shownLog(moved?.store ?? wholeLog, vault), moved, sealer, persons, vault };
}
