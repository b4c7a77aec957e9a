import { describe, it } from 'vitest';
import { installation } from '../../../src/domain/installation/installation.ts';
import type { Environment } from '../../../src/domain/platforms/events.ts';
import { installationFounded, logSealed } from '../../support/builders/installation.ts';
import { specFor } from '../../support/builders/spec.ts';
import { msLater } from '../../support/time/clock.ts';

const given = specFor(installation);
const found = (environment: Environment, at = msLater(0)) =>
  ({ type: 'FoundInstallation', environment, at }) as const;

describe('an installation', () => {
  it.each(['sandbox', 'production'] as const)('is founded as %s', (environment) =>
    given().when(found(environment)).then(installationFounded({ environment })),
  );

  it.each(['sandbox', 'production'] as const)('stays what it is when it is founded again as %s', (again) =>
    given(installationFounded({ environment: 'production' }))
      .when(found(again, msLater(1)))
      .thenNothing(),
  );

  it('says once what its log had before there were hashes', () => {
    const seal = (events: number) => ({ type: 'SealLog', events, root: 'cm9vdA==', at: msLater(0) }) as const;
    given(installationFounded())
      .when(seal(7))
      .then(logSealed({ events: 7 }));
    given(installationFounded(), logSealed({ events: 7 }))
      .when(seal(8))
      .thenNothing();
  });

  it('stays what it is once its log is sealed', () =>
    given(installationFounded({ environment: 'production' }), logSealed())
      .when(found('sandbox', msLater(1)))
      .thenNothing());
});
