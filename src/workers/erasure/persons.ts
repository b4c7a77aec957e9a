/** About whom the log says something that is about a customer: by these ids, of which each may have a key. */
import { pagesOf } from '../../../projections/projector/rebuild/pages.ts';
import { type DomainEvent, eventSchemas } from '../../domain/aggregates.ts';
import { personOfName } from '../../domain/persons.ts';
import { isStreamOf, type Kind, objectsOf, streamOf } from '../../domain/streams.ts';
import { decodeEvent } from '../../infrastructure/event-store/encoding.ts';
import type { EventStore, StoredEvent } from '../../infrastructure/event-store/event-store.ts';
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import type { CustomerId } from '../../kernel/ids.ts';

const pageMax = 1_000;

type Deps = {
  readonly pool: Pool;
  readonly store: EventStore;
  /** The log with what was left by a way back to a snapshot; `undefined` where there was none. */
  readonly whole: EventStore | undefined;
  readonly until: bigint;
};

/** The customer, and what is the customer's: by these ids the log says whom something is about. */
export async function personsOf(
  { pool, store, whole, until }: Deps,
  customerId: CustomerId,
): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from internal_accounts where customer_id = $1
     union all select id from beneficial_owners where customer_id = $1
     union all select id from external_accounts where customer_id = $1
     union all select id from agents where customer_id = $1
     union all select id from transactions where customer_id = $1`,
    [customerId],
  );
  const names = (await store.read(streamOf('customer', customerId))).flatMap(namesIn);
  const left = whole ? await leftOf(whole, until, customerId) : [];
  return new Set([customerId, ...rows.map(({ id }) => id), ...names, ...left]);
}

/** By their reservations, the names that the customer had: each was given up, the last ones by the deletion. */
function namesIn(stored: StoredEvent): readonly string[] {
  const event = decodeEvent<DomainEvent>(eventSchemas, stored);
  const isGivingUp = event.type === 'CustomerUpdated' || event.type === 'CustomerDeleted';
  return isGivingUp ? event.data.released.map(({ reservation }) => personOfName(reservation)) : [];
}

const theirs: readonly Kind[] = ['account', 'beneficialOwner', 'externalAccount', 'agent', 'transaction'];

/** No row tells of it, and no stream by the name that the code knows. */
async function leftOf(whole: EventStore, until: bigint, customerId: CustomerId): Promise<readonly string[]> {
  const own = streamOf('customer', customerId);
  const found: string[] = [];
  for await (const page of pagesOf(whole, { after: undefined, until, pageMax }))
    for (const event of page) {
      const stream = event.stream.replace(/\.\d+$/, '');
      if (stream === own) found.push(...namesIn(event));
      else if (event.data.customerId === customerId && theirs.some((kind) => isStreamOf(kind, stream)))
        found.push(...objectsOf([stream]));
    }
  return found;
}
