/** The service in this process, for tests: on a free port, with a database of its own that is gone afterwards. */
import './node-24.ts';
import type { TestDaybook, TestOptions } from './test-daybook.ts';

export type { WebhookType } from '@daybook/client/webhooks';
export type { Books } from './books.ts';
export { eventually } from './eventually.ts';
export { NotOurs } from './ours.ts';
export { type Access, platformWith, type TestPlatform } from './platform.ts';
export type { PlatformSnapshot } from './snapshot.ts';
export type { TestDaybook, TestOptions } from './test-daybook.ts';
export { type AwaitWebhook, type Match, NotTold, type Told } from './webhook.ts';

const known = { variables: true, seed: true, directory: true } satisfies Record<keyof TestOptions, true>;

/**
 * Starts the service. The first start on a machine makes a Postgres, which the next ones find. Throws `NotOurs` for a
 * directory that has something else in it, and `TypeError` for an option that there is not.
 */
export async function startDaybook(options: TestOptions = {}): Promise<TestDaybook> {
  const unknown = Object.keys(options).find((one) => !(one in known));
  if (unknown)
    throw new TypeError(
      `startDaybook: there is no option ${unknown}; there are ${Object.keys(known).join(', ')}`,
    );
  // Test files that only wait and assert need not load the service.
  const { start } = await import('./start.ts');
  return start(options);
}
