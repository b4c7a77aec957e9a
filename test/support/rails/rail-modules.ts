import type { RailContext, RailLog, RailReports } from '../../../src/domain/ports/rail-module.ts';
import { systemClock } from '../../../src/kernel/clock.ts';

/** What both ends of a rail that is a service sign with. */
export const railSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** Reports that reach nobody. */
export const noReports: RailReports = {
  ended: async () => 'recorded',
  news: async () => undefined,
  arrived: async () => ({ status: 'unmatched' }),
};

const quiet = () => undefined;
export const quietLog: RailLog = { info: quiet, warn: quiet, error: quiet };

export const railContext = (overrides: Partial<RailContext>): RailContext => ({
  reports: noReports,
  directory: '/nowhere',
  settings: {},
  now: () => systemClock.now(),
  log: quietLog,
  ...overrides,
});
