/** The checks of `verify.mjs` on the log itself, or on an export of it. */
import {
  checkpointOfEachDay,
  type SignedCheckpoint,
} from '../../../../../projections/auditor/signed-checkpoints.ts';
import type { LogReader } from '../../../../infrastructure/event-store/postgres/reader.ts';
import { stringify } from '../../../../kernel/json.ts';
import { publishedSchemas } from '../../verify/published-schemas.ts';
import {
  type Checkpoints,
  checkpointsIn,
  compile,
  rootsOf,
  type Schemas,
  type Seen,
  Verifier,
  verifyFile,
} from '../../verify/verify.mjs';
import { onLogAlone, type Positions } from '../beside.ts';
import type { Compared, Comparison } from './comparison.ts';
import { tellingFaults } from './outcome.ts';
import { comparing } from './read-models.ts';
import { wholeLog } from './reading.ts';
import { onTables } from './tables.ts';

type Options = {
  readonly file: string | undefined;
  /** Of signed checkpoints, with the key that signed them. */
  readonly checkpoints: string | undefined;
  /** What has signed them, and those of an export. */
  readonly key: string | undefined;
  readonly json: boolean;
};

/** Says what was seen, or the first fault and its place; then the exit code is another. */
export const verifyLog = ({ file, checkpoints: notes, key, json }: Options): Promise<void> =>
  tellingFaults(json, async () => {
    const told = (result: SeenLog): void => {
      process.stdout.write(`${json ? stringify(result) : described(result)}\n`);
    };
    const checkpoints = notes !== undefined && key !== undefined ? checkpointsIn(notes, key) : undefined;
    if (file !== undefined)
      return told(await verifyFile(file, { schemas: compiledSchemas(), checkpoints, key }));
    await onLogAlone(async ({ log, positions, databaseUrl }) => {
      const own =
        positions === 'dense' && databaseUrl ? await onTables(databaseUrl, checkpointOfEachDay) : [];
      const signed = withOwn(own, { key, checkpoints });
      await comparing(databaseUrl, log, async (comparison) =>
        told(await verifiedLog(log, positions, { checkpoints: signed, comparison })),
      );
    });
  });

/**
 * Those that are beside the log in its own database, as an export of it has them. Whoever changes the log there need not
 * have the key. Throws `Fault` where they contradict those that were kept, or something else has signed them.
 */
function withOwn(
  own: readonly SignedCheckpoint[],
  { key, checkpoints }: { readonly key: string | undefined; readonly checkpoints: Checkpoints | undefined },
): Checkpoints | undefined {
  const [first] = own;
  if (!first) return checkpoints;
  return rootsOf(
    own.map(({ note }) => note),
    key ?? first.key,
    checkpoints,
  );
}

export type SeenLog = Seen & { readonly readModels?: Compared | undefined };

/** Throws `Fault` at the first event, or place in the read models, that is not as it has to be. */
export async function verifiedLog(
  log: LogReader,
  positions: Positions,
  { checkpoints, comparison }: { checkpoints?: Checkpoints | undefined; comparison?: Comparison } = {},
): Promise<SeenLog> {
  const verifier = new Verifier({ schemas: compiledSchemas(), checkpoints });
  for await (const event of wholeLog(log)) {
    verifier.add(event);
    await comparison?.add(event);
  }
  return { ...verifier.result(positions), readModels: await comparison?.result() };
}

const compiledSchemas = (): Schemas =>
  new Map([...publishedSchemas()].map(([type, schema]) => [type, compile(schema)]));

function described(seen: SeenLog): string {
  const { events, position, streams, accounts, unsealed, sealedAt, signed, key, root, readModels } = seen;
  const sealed = sealedAt === undefined ? 'were not sealed' : `were sealed at ${sealedAt}`;
  const before = unsealed > 0 ? ` ${unsealed} events are older than the chain, and ${sealed}.` : '';
  const by = signed > 0 ? ` Checkpoints were made of the first ${signed}.` : '';
  return [
    `${events} events up to position ${position}. Streams: ${streams}. Accounts with money: ${accounts}. All is right.${before}${by}`,
    ...(readModels ? [describedComparison(readModels)] : []),
    ...(key === undefined ? [] : [`Signed with: ${key}`]),
    `Root: ${root}`,
  ].join('\n');
}

const describedComparison = (readModels: Compared): string =>
  readModels.compared
    ? `Read models up to position ${readModels.position}: their accounts (${readModels.accounts}), postings (${readModels.postings}) and payments (${readModels.payments}) are as the log has them.`
    : `Read models were not compared: ${readModels.because}.`;
