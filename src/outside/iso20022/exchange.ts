/** The exchange of files with the bank, put together: what is known of payments, orders out, and files in. */

import type { RailContext } from '../../domain/ports/rail-module.ts';
import { eachOf } from '../../kernel/each-of.ts';
import type { Ids } from '../../kernel/ids.ts';
import { openEntries } from './files/entries.ts';
import { openFolders } from './files/folders.ts';
import { openOrders } from './files/orders.ts';
import { openPayments } from './files/payments.ts';
import { readable, readMessage } from './messages/read.ts';
import { inOwnNames } from './own-accounts.ts';
import { openSchemas } from './schema/schemas.ts';
import type { Settings } from './settings.ts';
import { createApply } from './work/apply.ts';
import { createAssign } from './work/assign.ts';
import { createInbox } from './work/inbox.ts';
import { createOrderWriter } from './work/order-writer.ts';
import { createOutbox } from './work/outbox.ts';
import { createOutcomes } from './work/outcomes.ts';
import { createOwnPayments } from './work/own-payments.ts';

/** Statements have fewer elements for their size. */
const bytesPerElement = 12;

export type Parts = Pick<RailContext, 'reports' | 'now' | 'log'> & { readonly ids: Ids };

/** Throws where the folder cannot be used, or a schema that the operator provides is none. */
export async function openExchange(settings: Settings, { reports, now, log, ids }: Parts) {
  const { orderVersion, orderTransfersMax: transfersMax, fileBytesMax } = settings;
  const folders = await openFolders(settings.folder);
  const schemas = openSchemas(orderVersion, settings.schemas, [orderVersion, ...Object.keys(readable)]);
  const payments = openPayments(folders.state);
  const orders = openOrders(folders, ids);
  const entries = openEntries(folders.state, folders.unmatched);
  const write = createOrderWriter(settings, schemas);
  const outbox = createOutbox({ payments, orders, write, transfersMax, ids, now, log });
  const outcomes = createOutcomes({ payments, reports, now });
  const inOurNames = inOwnNames(settings);
  const own = createOwnPayments({ payments, orders });
  const apply = createApply({ own, entries, outcomes, reports });
  const bounds = { elementsMax: Math.ceil(fileBytesMax / bytesPerElement) };
  const read = (bytes: Uint8Array) => inOurNames(readMessage(bytes, bounds, schemas.ofNamespace));
  const inbox = createInbox({ folders, read, apply, fileBytesMax, log });
  const assign = createAssign({ folder: folders.unmatched, entries, reports, log });
  const send = async (signal: AbortSignal) => {
    const shown = await outbox(signal);
    if (shown > 0) log.info({ orders: shown }, 'orders are ready for the bank');
  };
  return {
    payments,
    orders,
    write,
    /**
     * Orders out, what the operator has decided, then files in. One process at a time does it. What cannot be done now
     * holds up nothing else: of an order the operator is told, and of the rest the first failure is thrown at the end. Once
     * the signal is aborted, it stops after the payment that it is at, and the next turn goes on from there.
     */
    async turn(signal: AbortSignal): Promise<void> {
      await eachOf([() => send(signal), () => assign(signal), () => inbox(signal)], (part) => part());
    },
  };
}
