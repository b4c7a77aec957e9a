/** The trial balance of a log in which a platform of the sandbox was put back to a snapshot. */
import { expect, it } from 'vitest';
import { trialBalanceAt } from '../../../src/app/cli/commands/audit/trial-balance.ts';
import { restored } from '../../../src/app/parts/core/event-store.ts';
import { eventSchemas } from '../../../src/domain/aggregates.ts';
import { encodeEvent } from '../../../src/infrastructure/event-store/encoding.ts';
import { movedName } from '../../../src/infrastructure/event-store/moved-owners.ts';
import { idOf } from '../../../src/kernel/ids.ts';
import { accountCredited, accountDebited } from '../../support/builders/accounts.ts';
import { platformId } from '../../support/builders/identities.ts';
import { usd } from '../../support/builders/money.ts';
import { metadata } from '../../support/log/long-streams.ts';
import { memoryEventStore } from '../../support/log/memory-event-store.ts';
import { testStart } from '../../support/time/clock.ts';
import { uuidNumber } from '../../support/values/ids.ts';

type Event = { readonly type: string; readonly data: unknown };

const stream = 'account-1';
const credited = accountCredited({ amount: usd(100n) });
const debited = accountDebited({ amount: usd(40n) });
const putBack = {
  type: 'PlatformStateRestored',
  data: {
    platformId,
    snapshotId: idOf('Snapshot', uuidNumber(1)),
    generation: 1,
    streams: [stream],
    at: testStart,
  },
};

/** 1: money comes. 2: it goes. 3: back to before it went, 4: with a copy. 5: what came late to the stream that was left. */
async function putBackLog() {
  const log = memoryEventStore();
  const heads = new Map<string, number>();
  const append = async (of: string, event: Event, copyOf?: string) => {
    const about = { ...metadata, platformId, at: testStart.toISOString(), ...(copyOf && { copyOf }) };
    const stored = { ...encodeEvent(eventSchemas, event, about), id: uuidNumber(log.all.length + 1) };
    const { revision } = await log.append(of, heads.get(of) ?? 'none', [stored]);
    heads.set(of, revision);
  };
  await append(stream, credited);
  await append(stream, debited);
  await append(restored.stream, putBack);
  await append(movedName(stream, 1), credited, uuidNumber(1));
  await append(stream, debited);
  return log;
}

it.each([
  ['the end', undefined, { internal: 100n, rail: -100n, 'in-flight': 0n }],
  ['what came late', { position: 5n }, { internal: 100n, rail: -100n, 'in-flight': 0n }],
  ['the copies', { position: 4n }, { internal: 100n, rail: -100n, 'in-flight': 0n }],
  ['what it was put back from', { position: 2n }, { internal: 60n, rail: -100n, 'in-flight': 40n }],
] as const)('up to %s it is that of what stood then', async (_, until, held) => {
  const { lines, isZero } = await trialBalanceAt(await putBackLog(), until);
  expect({ lines, isZero }).toMatchObject({ lines: [{ platformId, ...held, balance: 0n }], isZero: true });
});

it('is none of a platform that has just been put back, and whose copies are not there yet', async () => {
  expect((await trialBalanceAt(await putBackLog(), { position: 3n })).lines).toEqual([]);
});
