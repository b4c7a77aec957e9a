import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../../../src/infrastructure/postgres/embedded.ts';
import { eventually } from '../resources/flows.ts';

export type RedisServer = {
  readonly url: string;
  /** Ends the server as a crash would, with all that it holds, and starts an empty one at the same address. */
  replace(): Promise<void>;
  /** Changes a setting of the server as it runs. */
  set(setting: string, value: string): Promise<void>;
  stop(): Promise<void>;
};

/** Why there can be no Redis here; `undefined` when there can. */
export const noRedis: string | undefined =
  spawnSync('redis-server', ['--version']).status === 0 ? undefined : 'redis-server is not installed';

/** Starts a Redis server on a free port that keeps everything in memory. */
export async function startRedis(): Promise<RedisServer> {
  const directory = await mkdtemp(join(tmpdir(), 'daybook-redis-'));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let server = await launch(port, directory, url);
  return {
    url,
    async replace() {
      await end(server, 'SIGKILL');
      server = await launch(port, directory, url);
    },
    async set(setting, value) {
      const operator = new Redis(url);
      await operator.config('SET', setting, value).finally(() => operator.disconnect());
    },
    async stop() {
      await end(server, 'SIGTERM');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function launch(port: number, directory: string, url: string): Promise<ChildProcess> {
  const flags = { port, dir: directory, bind: '127.0.0.1', save: '', appendonly: 'no' };
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const server = spawn('redis-server', args, { stdio: 'ignore' });
  const probe = new Redis(url, { lazyConnect: true, retryStrategy: () => 25, maxRetriesPerRequest: null });
  probe.on('error', () => undefined);
  await eventually(
    () => probe.ping(),
    (answer) => answer === 'PONG',
  ).finally(() => probe.disconnect());
  return server;
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill(signal);
  await once(server, 'exit');
}
