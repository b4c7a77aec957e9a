/**
 * The identifiers of requests, where they follow from a seed: each caller has a count for each method and path, and nobody
 * else moves it (docs/decisions/0069-the-same-calls-give-the-same.md).
 */
import type { Request as HttpRequest } from 'express';
import type { Seeded } from '../../kernel/ids.ts';
import type { HttpResponse } from './work.ts';

type Asked = Pick<HttpRequest, 'method' | 'baseUrl' | 'path' | 'get'>;
type Answered = Pick<HttpResponse, 'once'>;

export type Coming = {
  /** Its uuid, by who was let in; nobody where the operation takes no credentials. Those that came before it go first. */
  readonly letIn: (caller: string | undefined) => Promise<string>;
  /** It was let in, or will not be. */
  readonly over: () => void;
};

/** To be told of a request as it comes. Of those with the same credentials it is known in that order who they are from. */
export function seededRequests({ next }: Pick<Seeded, 'next'>): (req: Asked, res: Answered) => Coming {
  const last = new Map<string, Promise<void>>();
  return (req, res) => {
    const credentials = req.get('authorization') ?? req.get('cookie') ?? '';
    const before = last.get(credentials);
    const own = Promise.withResolvers<void>();
    last.set(credentials, own.promise);
    const over = () => {
      own.resolve();
      if (last.get(credentials) === own.promise) last.delete(credentials);
    };
    // Nobody waits for one whose credentials are looked at for longer than it is answered.
    res.once('close', over);
    return {
      async letIn(caller) {
        await before;
        const path = req.baseUrl + req.path;
        if (caller === undefined) return next('anybody', req.method, path);
        return next('request', caller, req.method, path);
      },
      over,
    };
  };
}
