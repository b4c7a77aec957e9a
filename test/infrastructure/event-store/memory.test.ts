import { memoryEventStore } from '../../support/log/memory-event-store.ts';
import { eventStoreContract } from './contract.ts';

eventStoreContract('the memory store', async () => {
  const store = memoryEventStore();
  return { store, reopen: () => Promise.resolve(store), close: () => store.close() };
});
