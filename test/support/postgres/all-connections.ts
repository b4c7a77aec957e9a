import pg from 'pg';

/** Takes every connection that a server has left. Returns what gives them back. */
export async function takeAllConnections(url: string): Promise<() => Promise<void>> {
  const taken: pg.Client[] = [];
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      taken.push(client);
    } catch {
      break;
    }
  }
  return async () => void (await Promise.all(taken.map((client) => client.end().catch(() => undefined))));
}
