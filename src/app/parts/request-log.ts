/** The log of requests: where it is written, and how long it is kept. */
import { forgetRequests, insertRequests } from '../../../projections/kept/request-log.ts';
import { createRequestLog, type RequestLog } from '../../api/console/requests/log.ts';
import { daysAfter } from '../../kernel/clock.ts';
import { interfaceWords } from '../interface/words.ts';
import type { Closer } from './closer.ts';
import type { Core } from './core/core.ts';

const writeEveryMs = 1_000;

/** Not there where requests are not kept. */
export function openRequestLog(
  { config, pool, metrics, every }: Core,
  closers: Closer[],
): RequestLog | undefined {
  if (config.kept.requestsDays === 0) return undefined;
  const requestLog = createRequestLog({
    insert: (rows, bodies) => insertRequests(pool, rows, bodies),
    dropped: metrics.requestsNotLogged,
    words: interfaceWords,
  });
  closers.push(requestLog.write, every('request log', writeEveryMs, requestLog.write));
  return requestLog;
}

/** What was kept before requests were not kept any more goes too. */
export const forgetOldRequests = ({ config, pool, installationNow }: Core): Promise<void> =>
  forgetRequests(pool, daysAfter(installationNow(), -config.kept.requestsDays));
