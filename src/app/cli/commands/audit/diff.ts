/** Whether the log of one checkpoint contains that of an earlier one, and what came between. */
import { inWords } from '../../../../domain/money/in-words.ts';
import type { LogReader } from '../../../../infrastructure/event-store/postgres/reader.ts';
import { contentHashOf } from '../../../../infrastructure/event-store/seal.ts';
import { consistencyStretches, provesGrowth } from '../../../../infrastructure/log-tree/hashing.ts';
import { stringify } from '../../../../kernel/json.ts';
import { Fault, Tree } from '../../verify/verify.mjs';
import { onLogAlone } from '../beside.ts';
import { type Between, counting } from './between.ts';
import { checkpointNamed, type NamedCheckpoint } from './named-checkpoint.ts';
import { tellingFaults } from './outcome.ts';
import { wholeLog } from './reading.ts';

type Options = {
  /** Files with checkpoints, or numbers of events. */
  readonly names: readonly [string, string];
  readonly key: string | undefined;
  readonly json: boolean;
};

export type Diff = Between & {
  readonly earlier: NamedCheckpoint;
  readonly later: NamedCheckpoint;
  /** PROOF(earlier, later) of RFC 9162, in base64: who has both checkpoints can check it without the log. */
  readonly proof: readonly string[];
  readonly isRight: true;
};

/** The exit code says whether both are of this log. */
export const showDiff = ({ names: [one, other], key, json }: Options): Promise<void> =>
  tellingFaults(json, () =>
    onLogAlone(async ({ log, databaseUrl }) => {
      const place = { databaseUrl, key };
      const named = [await checkpointNamed(one, place), await checkpointNamed(other, place)] as const;
      const diff = await diffOf(log, named);
      process.stdout.write(`${json ? stringify(diff) : described(diff)}\n`);
    }),
  );

/** Reads the log from its beginning, and believes none of its hashes. Throws `Fault` where it is not that of both. */
export async function diffOf(
  log: LogReader,
  named: readonly [NamedCheckpoint, NamedCheckpoint],
): Promise<Diff> {
  const [one, other] = named;
  const [earlier, later] = one.size <= other.size ? [one, other] : [other, one];
  const tree = new Tree();
  const stretches = consistencyStretches(earlier.size, later.size).map(([start, end]) => ({
    start,
    end,
    tree: new Tree(),
  }));
  const between = counting();
  let rootThen = '';
  for await (const event of wholeLog(log)) {
    const hash = contentHashOf(event);
    stretches.find(({ start, end }) => tree.size >= start && tree.size < end)?.tree.add(hash);
    tree.add(hash);
    if (tree.size === earlier.size) rootThen = tree.root();
    if (tree.size > earlier.size) between.add(event);
    if (tree.size === later.size) break;
  }
  if (tree.size < later.size)
    throw new Fault(`${tree.size} events are here, and a checkpoint was made of ${later.size}`);
  requireRoot(earlier, rootThen);
  requireRoot(later, tree.root());
  const proof = stretches.map((stretch) => stretch.tree.root());
  requireGrowth(earlier, later, proof);
  return { earlier, later, proof, ...between.result(), isRight: true };
}

function requireRoot({ size, root }: NamedCheckpoint, found: string): void {
  if (found !== root)
    throw new Fault(`of events 1 to ${size} one is not what the checkpoint of ${size} was made of`);
}

function requireGrowth(earlier: NamedCheckpoint, later: NamedCheckpoint, proof: readonly string[]): void {
  const bytesOf = (text: string) => Buffer.from(text, 'base64');
  const growth = {
    from: earlier.size,
    fromRoot: bytesOf(earlier.root),
    size: later.size,
    root: bytesOf(later.root),
  };
  if (!provesGrowth(proof.map(bytesOf), growth))
    throw new Fault(`the checkpoint of ${later.size} events does not contain that of ${earlier.size}`);
}

function described({
  earlier,
  later,
  events,
  copies,
  firstAt,
  lastAt,
  types,
  streams,
  newStreams,
  moved,
}: Diff): string {
  const period = firstAt === undefined ? '' : `, recorded from ${firstAt} to ${lastAt}`;
  return [
    `The log of ${later.size} events contains that of ${earlier.size}. ${events} came between${period}.`,
    ...(copies === 0
      ? []
      : [`${copies} are copies, with which platforms went on that were put back to a snapshot.`]),
    `${streams} streams, ${newStreams} of them new.`,
    ...Object.entries(types).map(([type, count]) => `${String(count).padStart(8)}  ${type}`),
    ...moved.map((money) => `${inWords(money).trim()} moved in ${money.entries} entries.`),
  ].join('\n');
}
