/** The service in this process, for tests: on a free port, with a database of its own that is gone afterwards. */
import './node-24.ts';
import type { TestPlatform } from './platform.ts';

export type { WebhookType } from '@daybook/client/webhooks';
export type { Books } from './books.ts';
export { eventually } from './eventually.ts';
export { NotOurs } from './ours.ts';
export { type Access, platformWith, type TestPlatform } from './platform.ts';
export type { PlatformSnapshot } from './snapshot.ts';
export { type AwaitWebhook, type Match, NotTold, type Told } from './webhook.ts';

export type TestOptions = {
  /** Variables of docs/reference/configuration.md, beside those that tests have, or in their place. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Identifiers follow from it: with a clock that stands still, the same calls of a platform give the same each time. */
  readonly seed?: string;
  /** Where the Postgres of all runs is kept, and nothing else; `~/.cache/daybook-testing` unless said otherwise. */
  readonly directory?: string;
};

export type TestDaybook = AsyncDisposable & {
  /** With the version of the interface. */
  readonly baseUrl: string;
  /**
   * A platform of its own, with all permissions: it sees nothing of the others, and they see nothing of it. Its webhooks go
   * to the inbox of the sandbox until it is given another endpoint.
   */
  newPlatform(): Promise<TestPlatform>;
  /** Stops it, and removes its database. Safe to call twice; so is leaving the scope of `await using`. */
  stop(): Promise<void>;
};

/**
 * Starts the service. The first start on a machine makes a Postgres, which the next ones find. Throws `NotOurs` for a
 * directory that has something else in it.
 */
export async function startDaybook(options: TestOptions = {}): Promise<TestDaybook> {
  // Test files that only wait and assert need not load the service.
  const { start } = await import('./start.ts');
  return start(options);
}
