import { eventStoreContract } from '../../../../infrastructure/event-store/contract.ts';
import { serverLog } from '../../../../support/servers/eventstoredb-server/log.ts';
import { quietClient, storeOn } from './place.ts';

eventStoreContract('EventStoreDB as lives have it', async () => {
  const connect = quietClient(serverLog());
  const store = await storeOn('', connect);
  const opened = [store];
  return {
    store,
    async reopen() {
      const another = await storeOn('', connect);
      opened.push(another);
      return another;
    },
    close: async () => void (await Promise.all(opened.map((one) => one.close()))),
  };
});
