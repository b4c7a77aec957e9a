import type { Environment } from '../../../src/domain/platforms/events.ts';
import { testStart } from '../time/clock.ts';

export const installationFounded = ({ environment = 'sandbox' }: { environment?: Environment } = {}) =>
  ({ type: 'InstallationFounded', data: { environment, at: testStart } }) as const;

export const logSealed = ({ events = 7, root = 'cm9vdA==' }: { events?: number; root?: string } = {}) =>
  ({ type: 'LogSealed', data: { events, root, at: testStart } }) as const;
