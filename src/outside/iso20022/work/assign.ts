/**
 * What an operator has decided of money that is nobody's: beside `NAME.json`, a file `NAME.account` with the reference of
 * the account that it is for. How much it is stands in Daybook's own part, not in the file that was shown.
 */

import type { Stats } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RailLog, RailReports } from '../../../domain/ports/rail-module.ts';
import { eachOf } from '../../../kernel/each-of.ts';
import { move, readIfAny, statIfAny, writeAnew } from '../files/atomic.ts';
import type { Entries } from '../files/entries.ts';
import { namesIn } from '../files/folders.ts';

type Deps = {
  /** Where the cases are listed. */
  readonly folder: string;
  readonly entries: Pick<Entries, 'creditOf'>;
  readonly reports: Pick<RailReports, 'arrived'>;
  readonly log: RailLog;
};

const ending = '.account';
const referenceMax = 200;

/** For whichever process reads the file it is one decision, and another once it is written anew. */
const nameOf = ({ mtimeMs }: Stats): string => String(mtimeMs).replace('.', '-');

export const createAssign =
  ({ folder, entries, reports, log }: Deps) =>
  async (signal: AbortSignal): Promise<void> => {
    /** Why it cannot be credited; nothing where it is. */
    const credit = async (name: string): Promise<string | undefined> => {
      const known = await entries.creditOf(name);
      if (!known || known.amount.minor === 0n) return 'there is no credit of that name';
      const path = join(folder, name + ending);
      const file = await statIfAny(path);
      const reference = (await readIfAny(path))?.trim() ?? '';
      if (!file || reference === '' || reference.length > referenceMax) return 'the file has no reference';
      const decision = nameOf(file);
      const arrival = await reports.arrived({ ...known, named: [reference], refusalIsFinal: true, decision });
      if (arrival.status === 'unmatched') return `no account in ${known.amount.currency} has the reference`;
      return arrival.status === 'refused' ? `${arrival.code}: ${arrival.message}` : undefined;
    };

    const take = async (name: string): Promise<void> => {
      const why = await credit(name);
      log.info({ isCredited: why === undefined }, 'an operator has said whose money it is');
      const reason = join(folder, `${name}.reason.txt`);
      if (why === undefined) {
        await move(join(folder, `${name}.json`), join(folder, 'credited', `${name}.json`));
        await rm(reason, { force: true });
      } else await writeAnew(reason, `${why}\n`);
      await rm(join(folder, name + ending), { force: true });
    };

    const decided = (await namesIn(folder)).filter((one) => one.endsWith(ending));
    // What cannot be credited now is for the next turn, and holds up nobody else's money.
    await eachOf(decided, async (file) => {
      if (!signal.aborted) await take(file.slice(0, -ending.length));
    });
  };
