/** Mounts operations on Express: fixed paths before those with parameters, and a 405 for any other method of a path. */
import { type RequestHandler, Router } from 'express';
import { Rejected } from '../../kernel/rejected.ts';
import type { Operation, Route } from './operation.ts';
import { type ServeDeps, serve } from './serve.ts';

export function operationsRouter<O extends Operation>(
  routes: readonly Route<O>[],
  deps: ServeDeps<O>,
): Router {
  const router = Router({ caseSensitive: true });
  const byPath = Map.groupBy(routes, ({ operation }) => operation.path);
  const paths = [...byPath.keys()].toSorted((a, b) => specificity(b) - specificity(a));
  for (const path of paths) {
    const own = byPath.get(path) ?? [];
    for (const one of own) router[one.operation.method](expressPath(path), serve(one, deps));
    // Before any path with parameters gets to see the request: its methods are not those of this path.
    router.all(expressPath(path), refuseMethod(own.map(({ operation }) => operation.method.toUpperCase())));
  }
  return router;
}

const expressPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

/** Fixed segments go before parameters: `/customers/internal-accounts` is not a customer. */
const specificity = (path: string) =>
  path.split('/').reduce((sum, segment, n) => sum + (segment.startsWith('{') ? 0 : 1 << (20 - n)), 0);

const refuseMethod =
  (allowed: readonly string[]): RequestHandler =>
  (req, res) => {
    res.setHeader('Allow', allowed.join(', '));
    const message = `${req.method} is not a method of this path. Use ${allowed.join(' or ')}.`;
    throw new Rejected('METHOD_NOT_ALLOWED', message);
  };
