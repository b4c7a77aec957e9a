import { describe, it } from 'vitest';
import { installation } from '../../../src/domain/installation/installation.ts';
import type { Environment } from '../../../src/domain/platforms/events.ts';
import { installationFounded } from '../../support/builders/installation.ts';
import { msLater } from '../../support/clock.ts';
import { specFor } from '../../support/spec.ts';

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
});
