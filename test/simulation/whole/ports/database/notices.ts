/** What connections say with `pg_notify`, and who hears it: once the transaction is over, each thing once. */

export type Notice = { readonly channel: string; readonly payload: string };

export type Notices<Client> = {
  /** A statement has been carried out, and with it its transaction where that is over. Returns what is heard by that. */
  readonly said: (client: Client, carried: Carried) => readonly Notice[];
  /** What was said in a transaction that has failed is not heard. */
  readonly takeBack: (client: Client) => void;
  /** Whether the statement is one by which a client begins to listen or ceases to; if so, it does. */
  readonly listens: (client: Client, text: string) => boolean;
  /** In the order in which they have begun to listen to anything. */
  readonly listenersOf: (channel: string) => readonly Client[];
  readonly forget: (client: Client) => void;
};

type Carried = {
  readonly text: string;
  readonly values: readonly unknown[];
  /** What it was answered with. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly isOver: boolean;
};

const notifying = /^select pg_notify\(\$1, \$2\)$/;
/** What it says is known to the server alone. */
const notifyingFrom = /^\s*select (pg_notify\(\$1, (.*)\)) from /;
const listening = /^(un)?listen "?(\w+)"?$/;

/** A statement as it is sent: one whose answer has what it says. */
export const telling = (text: string): string =>
  text.replace(
    notifyingFrom,
    (_, said: string, payload: string) => `select ${said}, $1::text as channel, ${payload} as payload from `,
  );

export function createNotices<Client>(): Notices<Client> {
  const listeners = new Map<Client, Set<string>>();
  const pending = new Map<Client, Notice[]>();

  const say = (client: Client, [channel, payload]: readonly unknown[]) => {
    const notices = pending.get(client) ?? [];
    pending.set(client, notices);
    if (notices.some((one) => one.channel === channel && one.payload === payload)) return;
    notices.push({ channel: String(channel), payload: String(payload) });
  };
  return {
    said(client, { text, values, rows, isOver }) {
      if (notifying.test(text)) say(client, values);
      else if (notifyingFrom.test(text))
        for (const { channel, payload } of rows) say(client, [channel, payload]);
      else if (text.includes('pg_notify(')) throw new Error(`nobody knows what this says: ${text}`);
      if (/^rollback/.test(text)) pending.delete(client);
      const notices = isOver ? pending.get(client) : undefined;
      if (isOver) pending.delete(client);
      return notices ?? [];
    },
    takeBack: (client) => void pending.delete(client),
    listens(client, text) {
      const [, un, channel] = listening.exec(text) ?? [];
      if (channel === undefined) return false;
      const channels = listeners.get(client) ?? new Set();
      listeners.set(client, channels);
      if (un) channels.delete(channel);
      else channels.add(channel);
      return true;
    },
    listenersOf: (channel) =>
      [...listeners].flatMap(([client, channels]) => (channels.has(channel) ? [client] : [])),
    forget(client) {
      listeners.delete(client);
      pending.delete(client);
    },
  };
}
