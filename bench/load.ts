/** Load by autocannon. */
import autocannon from 'autocannon';

export type Shot = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
};
export type Hit = {
  readonly perSecond: number;
  readonly answered: number;
  /** Answers other than 2xx, and requests without an answer. */
  readonly refused: number;
  readonly p50: number;
  readonly p99: number;
};

export type Load = {
  readonly origin: string;
  readonly connections: number;
  readonly seconds: number;
  /** Makes each request. */
  readonly next: () => Shot;
  /** Makes the request that follows from the answer to it: the two count as one. */
  readonly follow?: (answer: string) => Shot;
  /** Requests a second, whether they are answered or not; without it each connection waits for its answer. */
  readonly rate?: number;
};

const asRequest = (request: autocannon.Request, { method, path, headers, body }: Shot) => ({
  ...request,
  method,
  path,
  headers: { ...request.headers, ...headers },
  ...(body && { body }),
});

export async function shoot({ origin, connections, seconds, next, follow, rate }: Load): Promise<Hit> {
  const first = (request: autocannon.Request) => asRequest(request, next());
  const remember = (_status: number, body: string, context: { answer?: string }) => {
    context.answer = body;
  };
  const second = (request: autocannon.Request, context: { answer?: string }) =>
    asRequest(request, follow?.(context.answer ?? '') ?? next());
  const requests = follow
    ? [{ setupRequest: first, onResponse: remember }, { setupRequest: second }]
    : [{ setupRequest: first }];
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    requests: requests as autocannon.Request[],
    ...(rate !== undefined && { overallRate: rate }),
  });
  const answered = result['2xx'] / requests.length;
  return {
    perSecond: answered / result.duration,
    answered,
    refused: result.non2xx + result.errors,
    p50: result.latency.p50 * requests.length,
    p99: result.latency.p99 * requests.length,
  };
}
