import { expect, it } from 'vitest';
import { restored } from '../../src/app/parts/core/event-store.ts';
import { aggregates } from '../../src/domain/aggregates.ts';
import { movedStreamsMax, restorationsStream } from '../../src/domain/restorations/restorations.ts';
import { createDispatcher } from '../../src/infrastructure/commands/dispatch.ts';
import { openMovedStreams } from '../../src/infrastructure/event-store/moved-streams.ts';
import { type PlatformId, type SnapshotId, systemIds } from '../../src/kernel/ids.ts';
import { leaveLateStreams } from '../../src/workers/platform-snapshots/late-streams.ts';
import { memoryEventStore } from '../support/log/memory-event-store.ts';
import { uuidNumber } from '../support/values/ids.ts';

const platformId = `Platform:${uuidNumber(1)}` as PlatformId;
const snapshotId = `Snapshot:${uuidNumber(2)}` as SnapshotId;
const cause = { platformId, correlationId: 'test', causationId: 'test', actor: 'test' };
const now = () => new Date('2026-11-02T09:00:00.000Z');

it('a way back that has begun leaves what comes late, though it has as many streams as may be left', async () => {
  const log = memoryEventStore();
  const moved = await openMovedStreams(log, restored);
  const commands = createDispatcher({ ...moved, newEventId: systemIds.uuid, now }, aggregates, []);
  const late = `transaction-${uuidNumber(3)}`;
  const event = { id: uuidNumber(4), type: 'Happened', data: {}, metadata: { ...cause, at: '' } };
  await log.append(late, 'none', [event]);
  const streams = Array.from({ length: movedStreamsMax }, (_, n) => `transaction-${uuidNumber(n + 5)}`);
  const way = { platformId, snapshotId, generation: 1, streams, at: now() };
  await commands.run('restorations', restorationsStream, { type: 'RestorePlatformState', ...way }, cause);
  await moved.readMoves();

  const back = { platformId, snapshotId, namedUntil: 0n };
  await leaveLateStreams({ moved, commands, installationNow: now }, back);
  expect(moved.generationOf(platformId)).toBe(2);
  expect(moved.isNamed(late)).toBe(true);
  const another = { ...way, generation: 3, streams: [`transaction-${uuidNumber(0)}`] };
  await expect(
    commands.run('restorations', restorationsStream, { type: 'RestorePlatformState', ...another }, cause),
  ).rejects.toMatchObject({ code: 'CONFLICT' });
});
