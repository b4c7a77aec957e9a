import { describe, expect, it, vi } from 'vitest';
import { auditClosings } from '../../../src/app/cli/commands/audit-closings.ts';
import { closedEvery } from '../../../src/infrastructure/closings/fold.ts';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { arrival, deposit, freeze, unfreeze } from '../../support/builders/accounts.ts';
import { usd } from '../../support/builders/money.ts';
import {
  accountStream,
  closingsOf,
  emptyLog,
  fillAccount,
  startProcess,
} from '../../support/log/long-streams.ts';
import { query } from '../../support/postgres/database.ts';
import { patienceMs } from '../../support/time/patience.ts';

const log = createLog('silent');
const released = { type: 'ReleaseHeldCredits', at: new Date() } as const;

/** A log with an account that was filled, then frozen while more arrived, and its closings. */
async function closedLog() {
  const url = await emptyLog();
  await fillAccount(url, 2 * closedEvery);
  const process = await startProcess(url);
  await process.load();
  await process.run(freeze());
  for (let n = 0; n < 700; n += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        process.run(arrival({ entryId: `late-${n + i}`, amount: usd(1n) })),
      ),
    );
  await process.run(unfreeze());
  for (let n = 0; n < 7; n++) await process.run(released);
  await process.run(deposit({ entryId: 'last', amount: usd(1n) }));
  await vi.waitFor(async () => expect(await closingsOf(url)).toBeGreaterThanOrEqual(3), {
    timeout: patienceMs,
  });
  return { url, audit: () => auditClosings({ databaseUrl: url, store: process.store, log }) };
}

const newest = `(select max(revision) from daybook.closings where stream = '${accountStream}')`;
const first = newest.replace('max', 'min');
/** As if it had been made so. */
const sealed = `digest = encode(sha256(convert_to(stream || ' ' || version || ' ' || revision || ' ' || event_id || ' ' ||`;

describe('the audit of closings', () => {
  it('finds nothing wrong with what processes have made, and changes nothing', async () => {
    const { url, audit } = await closedLog();
    const tables = () =>
      query(url, 'select * from daybook.closings full join daybook.closed_values using (stream, revision)');
    const before = await tables();
    expect(await audit()).toMatchObject({
      streams: 1,
      closings: await closingsOf(url),
      unread: 0,
      differences: [],
      isRight: true,
    });
    expect(await tables()).toEqual(before);
  });

  it.each([
    [
      'an amount',
      `update daybook.closings set state = replace(state, '"balance":"n', '"balance":"n9') where revision = ${newest}`,
      ['digest', 'state.balance'],
    ],
    [
      'an amount, digest and all',
      `update daybook.closings set state = replace(state, '"balance":"n', '"balance":"n9'),
         ${sealed} replace(state, '"balance":"n', '"balance":"n9'), 'UTF8')), 'hex') where revision = ${newest}`,
      ['state.balance'],
    ],
    [
      'an event',
      `update daybook.closings set event_id = gen_random_uuid() where revision = ${newest}`,
      ['eventId', 'digest'],
    ],
    [
      'a value',
      `update daybook.closed_values set value = '"sother"' where key = 'entry-7'`,
      ['values.entry-7'],
    ],
    [
      'a value that is missing',
      `delete from daybook.closed_values where key = 'entry-7'`,
      ['values.entry-7'],
    ],
    [
      'a value of no event',
      `insert into daybook.closed_values select stream, version, 'made-up', revision, value from daybook.closed_values where key = 'entry-7'`,
      ['values.made-up'],
    ],
    [
      'the filter',
      'update daybook.closing_filters set bits = decode(repeat($$00$$, length(bits)), $$hex$$)',
      [expect.stringMatching(/^filter\./)],
    ],
    ['a part of the filter', 'update daybook.closing_filters set part = part + 100', ['filter']],
    [
      'its text',
      `update daybook.closings set state = 'no json' where revision = ${newest}`,
      ['digest', 'state'],
    ],
  ])('names the stream and the field where somebody changed %s', async (_what, statement, fields) => {
    const { url, audit } = await closedLog();
    await query(url, statement);
    const result = await audit();
    expect(result).toMatchObject({ isRight: false, differencesCount: 1 });
    expect(result.differences[0]).toMatchObject({ stream: accountStream });
    expect(result.differences[0]?.fields).toEqual(expect.arrayContaining(fields));
  });

  it('tells of a closing that is beyond the end of its stream', async () => {
    const { url, audit } = await closedLog();
    await query(
      url,
      `insert into daybook.closings (stream, version, revision, event_id, previous, state, digest)
       select stream, version, 99999, event_id, revision, state, digest from daybook.closings where revision = ${newest}`,
    );
    expect((await audit()).differences).toEqual([
      { stream: accountStream, revision: 99_999, fields: ['revision'] },
    ]);
  });

  it('goes on with the other streams, and leaves out what nobody reads', async () => {
    const { url, audit } = await closedLog();
    await query(
      url,
      `insert into daybook.closings (stream, version, revision, event_id, state, digest)
       select stream, 1, revision, event_id, 'old', 'old' from daybook.closings where revision = ${first};
       insert into daybook.closings (stream, version, revision, event_id, state, digest)
       values ('account-0', (select max(version) from daybook.closings), 5, gen_random_uuid(), 'x', 'x')`,
    );
    expect(await audit()).toMatchObject({
      streams: 2,
      unread: 1,
      differences: [{ stream: 'account-0', revision: 5, fields: ['revision'] }],
    });
  });
});
