/** What `/metrics` shows is a few seconds old at most. */
const freshAfterMs = 6_000;

/** The text of a service's metrics, with all in it that has happened before the call. */
export async function freshMetrics(origin: string): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, freshAfterMs));
  return (await fetch(`${origin}/metrics`)).text();
}
