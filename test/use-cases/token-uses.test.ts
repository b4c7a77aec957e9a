import { describe, expect, it } from 'vitest';
import type { Log } from '../../src/infrastructure/observe/log.ts';
import { idOf, systemIds } from '../../src/kernel/ids.ts';
import type { Commands } from '../../src/use-cases/commands.ts';
import { actorOf } from '../../src/use-cases/tokens/living.ts';
import { createTokenRecords } from '../../src/use-cases/tokens/records.ts';
import { stillClock } from '../support/time/movable-clock.ts';

const dayMs = 24 * 3_600_000;

/** A token, and when the log was told that it was used. `meanwhile` is done while the log is told. */
function usedToken(meanwhile: (use: () => void) => void = () => undefined) {
  const clock = stillClock();
  const told: Date[] = [];
  const run = async (_to: unknown, _uuid: unknown, { at }: { readonly at: Date }) => {
    told.push(at);
    meanwhile(useNextDay);
  };
  const commands = { run } as unknown as Commands;
  const { used, recordUse } = createTokenRecords({ commands, now: clock.now, log: {} as Log });
  const platformId = idOf('Platform', systemIds.uuid());
  const principal = { platformId, actor: actorOf(idOf('Token', systemIds.uuid())) };
  const use = () => used(principal);
  const useNextDay = () => {
    clock.advance(dayMs);
    use();
  };
  use();
  return { first: clock.now(), now: clock.now, told, useNextDay, recordUse };
}

describe('a token that is used on two days', () => {
  it('is recorded for both where the second comes before the first is recorded', async () => {
    const { first, now, told, useNextDay, recordUse } = usedToken();
    useNextDay();
    await recordUse();
    expect(told).toEqual([first, now()]);
  });

  it('is recorded for both where the second comes while the first is recorded', async () => {
    let isFirst = true;
    const { first, now, told, recordUse } = usedToken((useNextDay) => {
      if (isFirst) useNextDay();
      isFirst = false;
    });
    await recordUse();
    await recordUse();
    expect(told).toEqual([first, now()]);
  });
});
