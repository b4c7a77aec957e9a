import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { type AdminDeps, serveAdmin } from '../../src/app/admin.ts';
import { createRoom } from '../../src/infrastructure/http/doors/room.ts';
import { derivedUuid, idOf } from '../../src/kernel/ids.ts';

const uuid = derivedUuid('test', 'admin');
const at = new Date('2026-01-01T00:00:00Z');
const token = 'an-admin-token-of-more-than-32-characters';
const state = {
  status: 'assessed',
  verificationId: idOf('Verification', uuid),
  platformId: idOf('Platform', uuid),
  customerId: idOf('Customer', uuid),
  verificationStatus: 'APPROVED',
  errors: [],
  documents: [],
  owners: [],
  isNews: true,
  createdAt: at,
  updatedAt: at,
};

const empty = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};

/** A decision is recorded at 9; what follows from it has nothing to add to a stream that ends at 4. */
async function decided(shownUpTo: bigint): Promise<Response> {
  const commands = {
    load: async () => state,
    run: async (_to: string, _uuid: string, _command: unknown, { seen }: { seen: (at: bigint) => void }) => {
      seen(9n);
      seen(4n);
      return { state, events: [{}] };
    },
  };
  const app = express();
  serveAdmin(app, {
    commands: commands as unknown as AdminDeps['commands'],
    readDb: new Kysely({ dialect: empty }) as AdminDeps['readDb'],
    untilAllShown: async () => {},
    now: () => at,
    token,
    room: createRoom(),
    projected: async (position) => position <= shownUpTo,
  });
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}/admin/verifications/${state.verificationId}/decide`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ decision: 'APPROVED' }),
  });
}

it.each([
  [4n, 'behind'],
  [9n, null],
])('a decision says whether the lists show all of it: they go to %s', async (shownUpTo, header) => {
  const response = await decided(shownUpTo);
  expect(response.status).toBe(200);
  expect(response.headers.get('daybook-read-models')).toBe(header);
});
