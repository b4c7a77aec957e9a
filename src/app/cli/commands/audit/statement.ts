/** A statement of an account between two moments: what it held before, each entry, and what it held after. */
import type { Clock } from '../../../../domain/books/clocks.ts';
import { onLogAlone } from '../beside.ts';
import { type BookedAccount, currencyOf, type Entry, entriesOf } from './entries.ts';
import { tellWrong } from './outcome.ts';
import { writingTo } from './output.ts';
import { standingAt } from './standing.ts';
import { type Statement, type StatementForm, statementForms } from './statement-forms.ts';

type Options = {
  readonly account: BookedAccount;
  /** Both belong to the period. */
  readonly from: Date;
  readonly to: Date;
  readonly clock: Clock;
  readonly form: StatementForm;
  /** Standard output when left out. */
  readonly file: string | undefined;
};

/**
 * As it stood at the end of the period. Reads the entries twice, so that what the account held in the end stands at the
 * head and no entry is kept.
 */
export const writeStatement = ({ account, from, to, clock, form, file }: Options): Promise<void> =>
  onLogAlone(async ({ log: whole }) => {
    const log = await standingAt(whole, { clock, at: to });
    const contradictions: string[] = [];
    const sums = {
      opening: 0n,
      closing: 0n,
      in: 0n,
      out: 0n,
      entries: 0,
      currency: await currencyOf(log, account),
    };
    const isShown = ({ moments }: Entry) => moments[clock] >= from && moments[clock] <= to;
    for await (const entry of entriesOf(log, account, contradictions)) {
      if (entry.moments[clock] > to) continue;
      sums.closing += entry.minor;
      if (!isShown(entry)) {
        sums.opening += entry.minor;
        continue;
      }
      sums.entries += 1;
      sums[entry.minor < 0n ? 'out' : 'in'] += entry.minor;
    }
    const name = account.kind === 'internal' ? account.accountId : account.account;
    const statement: Statement = { ...sums, account: name, clock, from, to };
    const { head, line, foot } = statementForms[form];
    await writingTo(file, async (write: (text: string) => Promise<void>) => {
      await write(head(statement));
      let [n, balance] = [0, sums.opening];
      for await (const entry of entriesOf(log, account, [])) {
        // What has come since the first reading is not in the sums.
        if (!isShown(entry) || n === sums.entries) continue;
        balance += entry.minor;
        await write(line({ ...entry, balance }, n));
        n += 1;
      }
      await write(foot(statement));
    });
    tellWrong(contradictions);
  });
