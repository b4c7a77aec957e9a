import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../../infrastructure/observe/log.ts';
import { once } from '../../../infrastructure/scheduling/once.ts';
import { stringify } from '../../../kernel/json.ts';
import { readConfig } from '../../config.ts';
import { startService } from '../../service.ts';
import { ask, NoService } from './ask.ts';
import { type Api, runDemo, Surprise } from './demo-steps.ts';

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

let closing: (() => Promise<void>) | undefined;
let interrupted = false;

/**
 * The main job from end to end, as a platform's back end would do it. Starts a service of its own in a temporary folder,
 * or talks to a running one.
 */
export async function demo({
  url,
  user = '',
}: {
  readonly url?: string;
  readonly user?: string;
}): Promise<void> {
  process.once('SIGINT', () => void interrupt());
  process.once('SIGTERM', () => void interrupt());
  try {
    const target = url ? { url: url.replace(/\/$/, ''), user } : await ownService();
    if (!interrupted) await runDemo(apiOf(target), say);
  } catch (error) {
    if (!interrupted) {
      const isTold = error instanceof Surprise || error instanceof NoService;
      const told = isTold ? error.message : `The demo could not go on: ${String(error)}`;
      process.stderr.write(`${told}\n`);
      process.exitCode = 1;
    }
  } finally {
    await closing?.();
  }
}

async function interrupt(): Promise<void> {
  interrupted = true;
  process.exitCode = 130;
  await closing?.();
}

type Target = { readonly url: string; readonly user: string };

async function ownService(): Promise<Target> {
  const directory = await mkdtemp(join(tmpdir(), 'daybook-demo-'));
  closing = () => rm(directory, { recursive: true, force: true });
  say('Starting a service of its own …');
  const config = { ...readConfig({ DAYBOOK_DATA_DIR: directory }), port: 0 };
  const starting = startService(config, { log: createLog('warn') });
  closing = once(async () => {
    const service = await starting.catch(() => undefined);
    await service?.stop();
    await rm(directory, { recursive: true, force: true });
  });
  const { url, credentials } = await starting;
  return { url: url ?? '', user: `${credentials.clientId}:${credentials.clientSecret}` };
}

/** One call at a time, printed with its answer. */
function apiOf({ url, user }: Target): Api {
  const authorization = `Basic ${Buffer.from(user).toString('base64')}`;
  return async (method, path, body) => {
    if (interrupted) throw new Surprise('Interrupted.');
    const headers = { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const response = await ask(`${url}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
}
