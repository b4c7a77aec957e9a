/**
 * Events as lines of JSON, in one compressed file that needs nothing of this service to be read. That of a whole log has
 * signed checkpoints before them, and ends with the newest: whoever has the key finds out what is missing, or too much. That
 * of a part of a log says so before them: it cannot be verified, and nobody is to take that for a fault of the log.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import {
  checkpointOfEachDay,
  type SignedCheckpoint,
} from '../../../../../projections/auditor/signed-checkpoints.ts';
import { canonical, stringify } from '../../../../kernel/json.ts';
import { onLogAlone } from '../beside.ts';
import { NotInLog } from './outcome.ts';
import { intoFile } from './output.ts';
import { wholeLog } from './reading.ts';
import { onTables } from './tables.ts';

type Options = {
  /** Ends in `.gz`: compressed. */
  readonly file: string;
  /** Events after this position. */
  readonly after: bigint | undefined;
  readonly until: bigint | undefined;
  readonly platformId: string | undefined;
  readonly json: boolean;
};

type Exported = {
  readonly file: string;
  readonly events: number;
  readonly position: bigint;
  readonly sha256: string;
  readonly checkpoints: number;
  /** The newest checkpoint, which is of all these events. */
  readonly signedAt: Date | undefined;
  readonly key: string | undefined;
};

/**
 * Tells how many events the file has, and the SHA-256 of their lines before they are compressed. The last line says that
 * they are all.
 */
export const exportLog = ({ file, after, until, platformId, json }: Options): Promise<void> =>
  onLogAlone(async ({ log, positions, databaseUrl }) => {
    const isFromEndToEnd = after === undefined && until === undefined;
    const isWhole = isFromEndToEnd && platformId === undefined;
    const isPart = (after ?? 0n) > 0n || platformId !== undefined;
    const checkpoints = isWhole && databaseUrl ? await onTables(databaseUrl, checkpointOfEachDay) : [];
    const newest = checkpoints.at(-1);
    const hash = createHash('sha256');
    let [events, position] = [0, 0n];
    const lines = async function* () {
      if (isPart) yield `${stringify({ part: { after, until, platformId } })}\n`;
      if (newest) yield headOf(checkpoints, newest.key);
      for await (const stored of wholeLog(log, { after, until })) {
        if (platformId !== undefined && stored.metadata.platformId !== platformId) continue;
        const { id, stream, revision, type, data, metadata } = stored;
        const line = `${canonical({ position: stored.position, id, stream, revision, type, data, metadata })}\n`;
        hash.update(line);
        events += 1;
        position = stored.position;
        yield line;
        if (newest && events >= newest.size) break;
      }
      if (platformId !== undefined && isFromEndToEnd && events === 0)
        throw new NotInLog(`There is nothing of ${platformId} in the log.`);
      yield `${stringify({ export: { events, position, after, until, platformId, positions } })}\n`;
    };
    await intoFile(file, (stream) =>
      file.endsWith('.gz')
        ? pipeline(Readable.from(lines()), createGzip(), stream)
        : pipeline(Readable.from(lines()), stream),
    );
    const signed = { checkpoints: checkpoints.length, signedAt: newest?.signed_at, key: newest?.key };
    const exported = { file, events, position, sha256: hash.digest('hex'), ...signed };
    process.stdout.write(`${json ? stringify(exported) : described(exported)}\n`);
  });

const headOf = (checkpoints: readonly SignedCheckpoint[], key: string): string =>
  `${stringify({ checkpoints: checkpoints.map(({ note }) => note), key })}\n`;

function described({ file, events, position, sha256, signedAt, key }: Exported): string {
  const what = `${file}: ${events} events up to position ${position}, sha256 ${sha256}`;
  if (!signedAt) return `${what}\nIt has no checkpoints.`;
  return `${what}\nIt ends with the checkpoint of ${signedAt.toISOString()}, signed with ${key}`;
}
