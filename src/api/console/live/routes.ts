import { type Route, route } from '../../operation.ts';
import type { Live } from './live.ts';
import { watchTransactions } from './operations.ts';

export const consoleLiveRoutes = ({ live }: { readonly live: Live }): readonly Route[] => [
  route(watchTransactions, async ({ principal, query }) => ({
    status: 200,
    stream: await live.follow(principal.platformId, query.seconds),
  })),
];
