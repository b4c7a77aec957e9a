/** What the client of EventStoreDB does not do by itself: an append is a call of its own, and is not sent late. */
import { ServerSilent } from './server-silent.ts';

/** How the client carries out a call: it finds a node of the cluster first, for as long as that takes. */
type Execute = <Connection, Answer>(
  kind: new (...args: never[]) => Connection,
  name: string,
  action: (connection: Connection) => Promise<Answer>,
) => Promise<Answer>;

/**
 * The client, which from now on sends every append as a call of its own, and none that was asked for longer ago than
 * `maxMs`. Left to choose, it sends appends over one stream whose waiting answers are kept per process, not per client: they
 * have no deadline, an error on one stream fails the appends of all, and an answer that comes after such an error throws
 * where nobody can catch it. The choice also hangs on a call without a deadline. And it looks for a node for minutes, while
 * whoever asked has given the append up, and others count on it that it is never carried out.
 */
export function appendingInTime<Client extends object>(client: Client, maxMs: number): Client {
  const { execute } = client as { readonly execute?: Execute };
  if (!execute) throw new Error('the client of EventStoreDB carries out its calls in another way');
  const inTime: Execute = (kind, name, action) => {
    if (name !== 'appendToStream') return execute(kind, name, action);
    const asked = performance.now();
    return execute(kind, name, async (connection) => {
      if (performance.now() - asked > maxMs) throw new ServerSilent(`no node found for ${maxMs} ms`);
      return action(connection);
    });
  };
  return Object.assign(client, { supports: () => Promise.resolve(false), execute: inTime });
}
