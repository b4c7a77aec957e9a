/** Nothing answers where a service should. */
export class NoService extends Error {
  override name = 'NoService';
}

/** What the service answers. Throws `NoService`, with the address and the reason, where nothing does. */
export async function ask(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (error) {
    const told = `No service answers at ${url}: ${reasonOf(error)}. Start it, or name its address with --url.`;
    throw new NoService(told, { cause: error });
  }
}

/** That of the system, which `fetch` keeps as the cause; of several addresses of a name it has no words. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}
