import type { Environment } from '../../../src/domain/platforms/events.ts';
import { testStart } from '../clock.ts';

export const installationFounded = ({ environment = 'sandbox' }: { environment?: Environment } = {}) =>
  ({ type: 'InstallationFounded', data: { environment, at: testStart } }) as const;
