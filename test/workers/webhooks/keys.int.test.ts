import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { createPool } from '../../../src/infrastructure/postgres/pool.ts';
import { createSealer, newMasterKey } from '../../../src/infrastructure/secrets/sealing.ts';
import { idOf } from '../../../src/kernel/ids.ts';
import { createWebhookKeys } from '../../../src/workers/webhooks/keys.ts';
import { emptyBooks } from '../../support/postgres/read-models.ts';
import { eventually } from '../../support/resources/flows.ts';

it('keys that another process has rotated are signed with before the overlap ends', async () => {
  const { url } = await emptyBooks();
  const pool = createPool({ url, max: 2, name: 'webhook-keys' });
  onTestFinished(() => pool.end());
  const sealer = createSealer({ current: newMasterKey() });
  const open = () => createWebhookKeys({ pool, sealer, now: () => new Date(), overlapMs: 3_600_000 });
  const [one, other] = [open(), open()];
  const platform = idOf('Platform', randomUUID());
  // Those that it has made itself it does not remember yet.
  await one.current(platform);
  const before = await other.current(platform);
  const { signing, next } = await one.rotate(platform);
  expect([before.signing.id, before.next]).toEqual([signing.id, undefined]);
  const noticed = await eventually(
    () => other.current(platform),
    (current) => current.next !== undefined,
  );
  expect([noticed.signing.id, noticed.next?.key.id]).toEqual([signing.id, next?.key.id]);
});
