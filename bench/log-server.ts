/**
 * Stands in for EventStoreDB where no server is named: the public protocol of a node, with its log in memory. Its own
 * speed says nothing of a server's. `PORT=… node bench/log-server.ts`
 */
import { startEventStoreDb } from '../test/support/servers/eventstoredb-server/server.ts';

const { url } = await startEventStoreDb({ port: Number(process.env.PORT) });
process.stdout.write(`ready at ${url}\n`);
