import type { Daybook } from '@daybook/client';

/** A platform as it was, under the same ids. It goes when the platform does, or when it is disposed of. */
export type PlatformSnapshot = AsyncDisposable & {
  readonly id: string;
  /** Resolves when the platform is what it was. What came since is gone, keys of requests included. */
  restore(): Promise<void>;
};

/** Resolves once what the platform does has come to rest. */
export async function snapshotOf(client: Daybook, name?: string): Promise<PlatformSnapshot> {
  const { id } = await client.sandboxCreateSnapshot({ body: name === undefined ? {} : { name } });
  const path = { snapshotId: id };
  return {
    id,
    async restore() {
      await client.sandboxRestoreSnapshot({ path });
    },
    async [Symbol.asyncDispose]() {
      await client.sandboxDeleteSnapshot({ path });
    },
  };
}
