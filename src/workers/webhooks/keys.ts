/**
 * What a platform's webhooks are signed with: an EC P-256 key pair and a secret for HMAC, made when first needed. The
 * private parts are stored sealed. After a rotation both generations hold for a while.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import { rememberNewest } from '../../infrastructure/remembered/newest.ts';
import type { Sealer } from '../../infrastructure/secrets/sealing.ts';
import { derivedUuid, idOf, type PlatformId, type WebhookKeyId } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';

/** Tells the other processes of a rotation. */
export const webhookKeysChannel = 'daybook_webhook_keys';
/** A rotation of which a process does not hear is noticed within this time. */
const rememberedMs = 2_000;
export const rememberedMax = 10_000;

export type WebhookKey = {
  readonly id: WebhookKeyId;
  readonly createdAt: Date;
  /** SPKI in PEM. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
  /** `whsec_` and 32 bytes in base64. */
  readonly secret: string;
};

/** `next` is there during the overlap after a rotation, which ends at `until`. */
export type CurrentKeys = {
  readonly signing: WebhookKey;
  readonly next?: { readonly key: WebhookKey; readonly until: Date };
};

export type WebhookKeys = {
  readonly current: (platformId: PlatformId) => Promise<CurrentKeys>;
  /** The same as the table has them now, whoever has rotated them. */
  readonly shown: (platformId: PlatformId) => Promise<CurrentKeys>;
  /** Throws `Rejected` while the overlap of an earlier rotation lasts. */
  readonly rotate: (platformId: PlatformId) => Promise<CurrentKeys>;
  /** They are read again, those of all platforms where none is named: they have been replaced in the table. */
  readonly forget: (platformId?: PlatformId) => void;
};

type Row = {
  id: WebhookKeyId;
  generation: number;
  public_key: string;
  sealed_private_key: Buffer;
  sealed_secret: Buffer;
  master_key_id: string;
  created_at: Date;
  former_until: Date;
};

type Generations = {
  readonly generation: number;
  readonly newest: WebhookKey;
  readonly former?: WebhookKey;
  /** The former one holds until then. */
  readonly formerUntil: Date;
};

type Deps = {
  readonly pool: Pool;
  readonly sealer: Sealer;
  readonly now: () => Date;
  readonly overlapMs: number;
};

export function createWebhookKeys({ pool, sealer, now, overlapMs }: Deps): WebhookKeys {
  const remembered = rememberNewest<PlatformId, Promise<Generations>>(rememberedMax, rememberedMs);

  const read = async (platformId: PlatformId): Promise<readonly Row[]> => {
    const { rows } = await pool.query<Row>(
      'select * from webhook_keys where platform_id = $1 order by generation desc limit 2',
      [platformId],
    );
    return rows;
  };
  const create = async (platformId: PlatformId, generation: number, at: Date, overlap: number) => {
    const id = idOf('WebhookKey', derivedUuid('webhook-key', platformId, String(generation)));
    const { publicKey, privateKey, secret } = newKey();
    const sealedKey = sealer.seal(privateKey, webhookKeyContext(id, 'private key'));
    const sealedSecret = sealer.seal(secret, webhookKeyContext(id, 'secret'));
    const { rowCount } = await pool.query(
      `insert into webhook_keys (id, platform_id, generation, public_key, sealed_private_key, sealed_secret,
         master_key_id, created_at, former_until)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
      [
        ...[id, platformId, generation, publicKey, sealedKey.sealed, sealedSecret.sealed],
        ...[sealedKey.masterKeyId, at, new Date(at.getTime() + overlap)],
      ],
    );
    remembered.delete(platformId);
    return rowCount === 1;
  };
  const load = async (platformId: PlatformId): Promise<Generations> => {
    let rows = await read(platformId);
    if (rows.length === 0) {
      await create(platformId, 1, now(), 0);
      rows = await read(platformId);
    }
    const [newest, former] = rows;
    invariant(newest, 'a key that was just made is not there');
    const { generation, former_until: formerUntil } = newest;
    const opened = { generation, formerUntil, newest: unsealed(sealer, newest) };
    return former ? { ...opened, former: unsealed(sealer, former) } : opened;
  };
  const generationsOf = (platformId: PlatformId): Promise<Generations> => {
    const known = remembered.get(platformId);
    if (known) return known;
    const loading = load(platformId);
    remembered.set(platformId, loading);
    loading.catch(() => remembered.delete(platformId));
    return loading;
  };
  const current = async (platformId: PlatformId): Promise<CurrentKeys> => {
    const { newest, former, formerUntil } = await generationsOf(platformId);
    if (!former || formerUntil <= now()) return { signing: newest };
    return { signing: former, next: { key: newest, until: formerUntil } };
  };

  const shown = (platformId: PlatformId): Promise<CurrentKeys> => {
    remembered.delete(platformId);
    return current(platformId);
  };

  return {
    current,
    shown,
    forget: (platformId) => (platformId ? void remembered.delete(platformId) : remembered.clear()),
    async rotate(platformId) {
      const { next } = await shown(platformId);
      const { generation } = await generationsOf(platformId);
      const made = !next && (await create(platformId, generation + 1, now(), overlapMs));
      if (made) {
        await pool.query('select pg_notify($1, $2)', [webhookKeysChannel, platformId]);
        return current(platformId);
      }
      const until = (next?.until ?? new Date(now().getTime() + overlapMs)).toISOString();
      throw new Rejected('CONFLICT', `The keys have been rotated; both hold until ${until}.`, { until });
    },
  };
}

function newKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'prime256v1',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { publicKey, privateKey, secret: `whsec_${randomBytes(32).toString('base64')}` };
}

function unsealed(sealer: Sealer, row: Row): WebhookKey {
  const { id, public_key: publicKey, master_key_id: masterKeyId, created_at: createdAt } = row;
  const open = (sealed: Buffer, what: string) =>
    sealer.unseal({ masterKeyId, sealed }, webhookKeyContext(id, what));
  const privateKey = createPrivateKey(open(row.sealed_private_key, 'private key'));
  return { id, createdAt, publicKey, privateKey, secret: open(row.sealed_secret, 'secret') };
}

export const webhookKeyContext = (id: string, what: string): string => `${id} ${what}`;
