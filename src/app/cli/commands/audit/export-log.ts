/** Events as lines of JSON, in one compressed file that needs nothing of this service to be read. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { canonical, stringify } from '../../../../kernel/json.ts';
import { onLogAlone } from '../beside.ts';
import { intoFile } from './output.ts';
import { wholeLog } from './reading.ts';

type Options = {
  /** Ends in `.gz`: compressed. */
  readonly file: string;
  /** Events after this position. */
  readonly after: bigint | undefined;
  readonly until: bigint | undefined;
  readonly platformId: string | undefined;
  readonly json: boolean;
};

/**
 * Tells how many events the file has, and the SHA-256 of their lines before they are compressed. The last line says that
 * they are all.
 */
export const exportLog = ({ file, after, until, platformId, json }: Options): Promise<void> =>
  onLogAlone(async ({ log, positions }) => {
    const hash = createHash('sha256');
    let [events, position] = [0, 0n];
    const lines = async function* () {
      for await (const stored of wholeLog(log, { after, until })) {
        if (platformId !== undefined && stored.metadata.platformId !== platformId) continue;
        const { id, stream, revision, type, data, metadata } = stored;
        const line = `${canonical({ position: stored.position, id, stream, revision, type, data, metadata })}\n`;
        hash.update(line);
        events += 1;
        position = stored.position;
        yield line;
      }
      yield `${stringify({ export: { events, position, after, until, platformId, positions } })}\n`;
    };
    await intoFile(file, (stream) =>
      file.endsWith('.gz')
        ? pipeline(Readable.from(lines()), createGzip(), stream)
        : pipeline(Readable.from(lines()), stream),
    );
    const result = { file, events, position, sha256: hash.digest('hex') };
    const text = `${file}: ${events} events up to position ${position}, sha256 ${result.sha256}`;
    process.stdout.write(`${json ? stringify(result) : text}\n`);
  });
