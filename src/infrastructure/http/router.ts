/**
 * Mounts operations on Express. Paths without parameters are looked up at once and go before those with parameters:
 * `/customers/internal-accounts` is not a customer. Any other method of a path is a 405.
 */
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
  const fixed = new Map<string, RequestHandler>();
  router.use((req, res, next) => {
    const handler = fixed.get(req.path.replace(/\/$/, ''));
    return handler ? handler(req, res, next) : next();
  });
  const paths = [...byPath.keys()].toSorted((a, b) => specificity(b) - specificity(a));
  for (const path of paths) {
    const handler = byMethod(byPath.get(path) ?? [], deps);
    if (path.includes('{')) router.all(expressPath(path), handler);
    else fixed.set(path, handler);
  }
  return router;
}

/** The operations of one path. HEAD is GET without its body. */
function byMethod<O extends Operation>(routes: readonly Route<O>[], deps: ServeDeps<O>): RequestHandler {
  const handlers = new Map(
    routes.map((route) => [route.operation.method.toUpperCase(), serve(route, deps)] as const),
  );
  const refuse = refuseOtherThan([...handlers.keys()]);
  return (req, res, next) => {
    const handler = handlers.get(req.method === 'HEAD' ? 'GET' : req.method);
    return handler ? handler(req, res as never) : refuse(req, res, next);
  };
}

/** Says which methods a path takes: HEAD as well where it takes GET. */
export function refuseOtherThan(methods: readonly string[]): RequestHandler {
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  return ({ method }, res) => {
    res.setHeader('Allow', allowed);
    const message = `${method} is not a method of this path. Use ${methods.join(' or ')}.`;
    throw new Rejected('METHOD_NOT_ALLOWED', message);
  };
}

const expressPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

/** Fixed segments go before parameters. */
const specificity = (path: string) =>
  path.split('/').reduce((sum, segment, n) => sum + (segment.startsWith('{') ? 0 : 1 << (20 - n)), 0);
