import { inWords, majorUnits } from '../../../../domain/money/in-words.ts';
import { stringify } from '../../../../kernel/json.ts';
import { onLogAlone } from '../beside.ts';
import { type BookedAccount, currencyOf, entriesOf } from './entries.ts';
import { tellWrong } from './outcome.ts';
import { standingAt } from './standing.ts';
import { isWithin, type Until, untilInWords } from './until.ts';

type Options = { readonly account: BookedAccount; readonly until: Until; readonly json: boolean };

/** What an account held, by its entries alone. */
export const showBalance = ({ account, until, json }: Options): Promise<void> =>
  onLogAlone(async ({ log: whole }) => {
    const log = await standingAt(whole, until);
    const contradictions: string[] = [];
    const currency = await currencyOf(log, account);
    let [minor, entries] = [0n, 0];
    for await (const entry of entriesOf(log, account, contradictions)) {
      if (!isWithin(until, entry)) continue;
      minor += entry.minor;
      entries += 1;
    }
    const name = account.kind === 'internal' ? account.accountId : account.account;
    const held = { minor, currency };
    const result = { account: name, ...asked(until), ...held, amount: majorUnits(held), entries };
    const text = `${name} held ${inWords(held)} ${untilInWords(until)}: the sum of ${entries} entries.`;
    process.stdout.write(`${json ? stringify(result) : text}\n`);
    tellWrong(contradictions);
  });

const asked = (until: Until) =>
  until === undefined || 'position' in until
    ? (until ?? {})
    : { clock: until.clock, at: until.at.toISOString() };
