/** Erases a customer's personal data, as `POST /customers/{id}/erase` does. */
import { createReadDb } from '../../../../projections/database.ts';
import { customerNotFound, type KnownCustomer } from '../../../domain/customers/customer.ts';
import type { Cause } from '../../../infrastructure/commands/dispatch.ts';
import { createPool } from '../../../infrastructure/postgres/pool.ts';
import { isId, uuidOf } from '../../../kernel/ids.ts';
import { stringify } from '../../../kernel/json.ts';
import { deleteCustomer } from '../../../use-cases/customers/delete.ts';
import { eraseCustomer } from '../../../use-cases/customers/erase.ts';
import { askForErasure } from '../../../workers/erasure/erasure.ts';
import { UsageError } from '../usage-error.ts';
import { withCommands } from './beside.ts';
import { operatorNamed } from './bounded.ts';
import { untilShown } from './until-shown.ts';

type Options = { readonly actor?: string; readonly json?: boolean };

/**
 * Records it; the worker of the service carries it out, at once where it runs. Throws `UsageError` for what is no id
 * and for a name out of bounds, and `Rejected` for a customer who is not there, has money, or has payments under way.
 */
export async function eraseOne(id: string, { actor, json = false }: Options): Promise<void> {
  if (!isId('Customer', id)) throw new UsageError(`${id} is no id of a customer: Customer:<uuid>.`);
  const by = operatorNamed(actor);
  await withCommands(async ({ databaseUrl, commands, now, last }) => {
    const pool = createPool({ url: databaseUrl, max: 1, name: 'erase' });
    const listDb = createReadDb(pool);
    try {
      const customer = await commands.load('customer', uuidOf(id));
      if (customer.status === 'none') throw customerNotFound();
      const asked = `operator:${id}`;
      const { platformId } = customer;
      const cause: Cause = { platformId, correlationId: asked, causationId: asked, actor: by };
      const untilAllShown = () => untilShown(listDb, last);
      const remove = (one: KnownCustomer, why: Cause) =>
        deleteCustomer({ commands, listDb, untilAllShown, now }, one, why);
      const { erasedAt } = await eraseCustomer({ commands, now, remove }, customer, cause);
      // The log may say so already, and no worker know: these tables may be older than it.
      if (erasedAt) await askForErasure(pool, { platformId, customerId: id }, erasedAt);
      const at = erasedAt?.toISOString();
      process.stdout.write(
        json
          ? `${stringify({ customerId: id, askedAt: at })}\n`
          : `${id} is erased from ${at} on. The worker of the service carries it out: at once, or when it is started.\n`,
      );
    } finally {
      await pool.end();
    }
  });
}
