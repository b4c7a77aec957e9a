import { createClient, type Daybook } from '@daybook/client';
import { type Books, booksOf } from './books.ts';
import { type PlatformSnapshot, snapshotOf } from './snapshot.ts';
import { type AwaitWebhook, awaitWebhookOn } from './webhook.ts';

/** What a client needs to call the interface as a platform. */
export type Access = { readonly baseUrl: string; readonly clientId: string; readonly clientSecret: string };

export type TestPlatform = Access & {
  readonly client: Daybook;
  readonly books: Books;
  /** What the platform is told; see `AwaitWebhook`. */
  readonly webhook: AwaitWebhook;
  /** All that the platform has, to go back to as often as it is wanted; see `PlatformSnapshot`. */
  readonly snapshot: (name?: string) => Promise<PlatformSnapshot>;
};

/** Also for a Daybook that runs elsewhere, in a container for example. It is told nothing before it has a `webhookEndpoint`. */
export function platformWith(access: Access): TestPlatform {
  const client = createClient(access);
  return {
    ...access,
    client,
    books: booksOf(client),
    webhook: awaitWebhookOn(client),
    snapshot: (name) => snapshotOf(client, name),
  };
}
