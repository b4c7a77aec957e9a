/** A signed checkpoint as the command line names it: by a file, or by its number of events where it is kept beside the log. */
import {
  checkpointKey,
  checkpointOf,
  type SignedCheckpoint,
} from '../../../../../projections/auditor/signed-checkpoints.ts';
import { checkpointsIn, rootsOf } from '../../verify/verify.mjs';
import { NotInLog } from './outcome.ts';
import { onTables } from './tables.ts';

export type NamedCheckpoint = {
  /** The number of events. */
  readonly size: number;
  /** In base64. */
  readonly root: string;
};

type Place = {
  readonly databaseUrl: string | undefined;
  /** What has to have signed it; the one in the database where nothing is said. */
  readonly key: string | undefined;
};

/** Of a file with several the newest. Throws `NotInLog` where there is none, and `Fault` where another key has signed it. */
export async function checkpointNamed(
  name: string,
  { databaseUrl, key: given }: Place,
): Promise<NamedCheckpoint> {
  const key = given ?? (databaseUrl && (await onTables(databaseUrl, checkpointKey)));
  if (!key) throw new NotInLog('What signs the checkpoints cannot be read here: add --key.');
  const roots = /^\d{1,15}$/.test(name)
    ? rootsOf([(await kept(name, databaseUrl)).note], key)
    : checkpointsIn(name, key);
  const [newest] = [...roots].toSorted(([one], [other]) => other - one);
  if (!newest) throw new NotInLog(`There is no checkpoint in ${name}.`);
  const [size, root] = newest;
  return { size, root };
}

async function kept(size: string, databaseUrl: string | undefined): Promise<SignedCheckpoint> {
  const found = databaseUrl && (await onTables(databaseUrl, (db) => checkpointOf(db, BigInt(size))));
  if (!found) throw new NotInLog(`There is no checkpoint of ${size} events, or none that can be read here.`);
  return found;
}
