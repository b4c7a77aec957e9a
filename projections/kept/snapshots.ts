/** Snapshots of platforms of the sandbox, for who makes them useless: what they keep is sealed otherwise, or of another log. */
import type { PoolClient } from '../../src/infrastructure/postgres/pool.ts';

/** Throws, with what to do, while a platform is on its way back to a snapshot: it would be left without what that keeps. */
export async function requireNobodyGoesBack(client: Pick<PoolClient, 'query'>): Promise<void> {
  const { rowCount } = await client.query('select from sandbox_snapshots where restoring is not null');
  if (rowCount !== 0)
    throw new Error(
      'A platform is on its way back to a snapshot, which is needed until it is there. Start the service, or start it anew where it runs: a start sees that through. Then run this again.',
    );
}

/**
 * Until the end of the transaction no snapshot is taken or deleted, and nobody goes back to one. Throws while somebody does.
 */
export async function holdSnapshots(client: PoolClient): Promise<void> {
  // Whoever begins the way back changes a row first, and who puts rows back only looks at one.
  await client.query('lock table sandbox_snapshots in share row exclusive mode');
  await requireNobodyGoesBack(client);
}

/** Those that keep something that is sealed under another master key. */
export const forgetSnapshotsSealedOtherwise = (client: PoolClient, masterKeyId: string) =>
  client.query(
    `delete from sandbox_snapshots s where exists (
       select from sandbox_snapshot_rows r where r.snapshot_id = s.id and r.content->>'master_key_id' <> $1)`,
    [masterKeyId],
  );
