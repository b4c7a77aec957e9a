import type { ReadDb } from '../../../../projections/database.ts';
import { entriesOfPayment } from '../../../../projections/models/payment-entries.ts';
import { uuidOfStream } from '../../../domain/streams.ts';
import type { EventStore } from '../../../infrastructure/event-store/event-store.ts';
import { idOf, type PlatformId } from '../../../kernel/ids.ts';
import { type LifeEvent, lifeOf } from '../../../use-cases/audit/life.ts';
import { streamOfPayment } from '../../audit/payment-stream.ts';
import { renderHistoryEntry } from '../../audit/render.ts';
import { present } from '../../fields/fields.ts';
import { ownData } from '../../fields/own-data.ts';
import { type Route, route } from '../../operation.ts';
import { getTransactionLife, type RenderedLifeEvent } from './operations.ts';

type Deps = { readonly listDb: ReadDb; readonly store: Pick<EventStore, 'read'> };

export const consoleLifeRoutes = ({ listDb, store }: Deps): readonly Route[] => [
  route(getTransactionLife, async ({ principal, params }) => {
    const { platformId } = principal;
    const { transactionId } = params;
    const stream = await streamOfPayment(listDb, platformId, transactionId);
    const events = await lifeOf(
      {
        store,
        entries: (accounts, near) =>
          entriesOfPayment(listDb, { platformId, transactionId: paymentOf(stream), accounts, near }),
      },
      { stream, platformId },
      getTransactionLife.notFound,
    );
    const data = events.map((event) => renderLifeEvent(platformId, event));
    return { status: 200, body: { transactionId, data } };
  }),
];

/** Entries are the payment's, also where the receiving side of a quote is asked for. */
const paymentOf = (stream: string) => idOf('Transaction', uuidOfStream(stream));

const renderLifeEvent = (platformId: PlatformId, event: LifeEvent): RenderedLifeEvent =>
  Object.assign(
    renderHistoryEntry(event),
    present({ stream: event.stream, causedBy: event.causedBy, data: ownData(platformId, event.data) }),
  );
