/** What a test has of a service, and may ask for. */
import type { TestPlatform } from './platform.ts';

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
