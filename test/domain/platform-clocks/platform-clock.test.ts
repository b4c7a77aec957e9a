import { describe, expect, it } from 'vitest';
import { platformClock } from '../../../src/domain/platform-clocks/platform-clock.ts';
import {
  clockAdvanced,
  clockFrozen,
  clockFrozenForAdvance,
  clockOf,
  clockResumed,
} from '../../support/builders/platform-clocks.ts';
import { specFor, stateOf } from '../../support/builders/spec.ts';
import { msLater, testStart } from '../../support/time/clock.ts';

const given = specFor(platformClock);

describe('the clock of a platform', () => {
  it('stands still once, at what it shows by the log', () => {
    const freeze = { type: 'FreezeClock', ...clockOf, installationAt: msLater(5) } as const;
    given()
      .when(freeze)
      .then(clockFrozen(msLater(5)));
    given(clockFrozen(testStart)).when(freeze).thenNothing();
    given(clockFrozen(testStart), clockResumed(testStart, 100))
      .when(freeze)
      .then(clockFrozen(msLater(105)));
  });

  it('is put forward where it stands still, and never back', () => {
    const to = (ms: number) =>
      ({
        type: 'AdvanceClock',
        ...clockOf,
        to: msLater(ms),
        installationAt: testStart,
        forAdvance: false,
      }) as const;
    given(clockFrozen(testStart))
      .when(to(10))
      .then(clockAdvanced(testStart, msLater(10)));
    given(clockFrozen(testStart)).when(to(0)).thenNothing();
    given(clockFrozen(testStart)).when(to(-1)).thenNothing();
    given()
      .when(to(10))
      .then(clockFrozen(testStart), clockAdvanced(testStart, msLater(10)));
    const runs = [clockFrozen(testStart), clockResumed(testStart, 20)] as const;
    given(...runs)
      .when(to(10))
      .then(clockFrozen(msLater(20)));
    given(...runs)
      .when(to(30))
      .then(clockFrozen(msLater(20)), clockAdvanced(msLater(20), msLater(30)));
  });

  it('goes on from where it stands, ahead of the installation or behind', () => {
    const resume = (ms: number) =>
      ({ type: 'ResumeClock', ...clockOf, installationAt: msLater(ms) }) as const;
    given(clockFrozen(msLater(100)))
      .when(resume(40))
      .then(clockResumed(msLater(100), 60));
    given(clockFrozen(msLater(100)))
      .when(resume(140))
      .then(clockResumed(msLater(100), -40));
    given().when(resume(0)).thenNothing();
    given(clockFrozen(testStart), clockResumed(testStart, 7)).when(resume(0)).thenNothing();
    expect(stateOf(platformClock, clockFrozen(testStart), clockResumed(testStart, 7))).toEqual({
      status: 'RUNNING',
      aheadMs: 7,
    });
  });

  describe('that stands still for an advance', () => {
    const own = { ...clockOf, installationAt: msLater(50) };
    const begin = { type: 'BeginAdvance', ...own } as const;
    const end = { type: 'EndAdvance', ...own } as const;
    const freeze = { type: 'FreezeClock', ...own } as const;
    const resume = { type: 'ResumeClock', ...own } as const;
    const advance = { type: 'AdvanceClock', ...own, to: msLater(90), forAdvance: true } as const;
    const stopped = clockFrozenForAdvance(msLater(50));
    const moved = clockAdvanced(msLater(50), msLater(90));

    it('goes on with its end, from where it has come', () => {
      given().when(begin).then(stopped);
      given(stopped).when(advance).then(moved);
      given(stopped, moved)
        .when(end)
        .then(clockResumed(msLater(90), 40));
      given(stopped, moved, clockResumed(msLater(90), 40))
        .when(end)
        .thenNothing();
    });

    it('is begun once, and by nobody where it stood still before', () => {
      given(stopped).when(begin).thenNothing();
      given(clockFrozen(testStart)).when(begin).thenNothing();
      given(clockFrozen(testStart)).when(end).thenNothing();
      given(clockFrozen(testStart), clockAdvanced(testStart, msLater(90)))
        .when(end)
        .thenNothing();
    });

    it('stands still for good where somebody stops it meanwhile', () => {
      given(stopped, moved)
        .when(freeze)
        .then(clockFrozen(msLater(90)));
      given(stopped, moved, clockFrozen(msLater(90)))
        .when(end)
        .thenNothing();
    });

    it('is stopped again for it where somebody has it go on meanwhile', () => {
      given(stopped)
        .when(resume)
        .then(clockResumed(msLater(50), 0));
      given(stopped, clockResumed(msLater(50), 0))
        .when(advance)
        .then(stopped, moved);
    });
  });
});
