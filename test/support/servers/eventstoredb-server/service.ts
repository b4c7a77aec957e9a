/** A service whose log is in EventStoreDB. */
import { onTestFinished } from 'vitest';
import { startTestService, type TestService } from '../../processes/service.ts';
import { type ServerLog, serverLog } from './log.ts';
import { startEventStoreDb } from './server.ts';

type OnEventStoreDb = TestService & {
  readonly log: ServerLog;
  readonly server: Awaited<ReturnType<typeof startEventStoreDb>>;
};

/** Both end with the test. */
export async function startOnEventStoreDb(): Promise<OnEventStoreDb> {
  const log = serverLog();
  const server = await startEventStoreDb({ log });
  onTestFinished(() => server.close());
  const service = await startTestService({ variables: { EVENTSTORE_URL: server.url } });
  onTestFinished(service.stop);
  return { ...service, log, server };
}
