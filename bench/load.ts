/** Closed-loop load by autocannon: each connection sends its next request when it has the answer. */
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
  readonly refused: number;
  readonly p50: number;
  readonly p99: number;
};

/** Runs for `seconds`; `next` makes each request. */
export async function shoot(
  origin: string,
  connections: number,
  seconds: number,
  next: () => Shot,
): Promise<Hit> {
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    requests: [
      {
        setupRequest(request: autocannon.Request) {
          const { method, path, headers, body } = next();
          return {
            ...request,
            method,
            path,
            headers: { ...request.headers, ...headers },
            ...(body && { body }),
          };
        },
      },
    ],
  });
  const answered = result['2xx'];
  return {
    perSecond: answered / result.duration,
    answered,
    refused: result.non2xx + result.errors,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}
