/** Back ends of platforms: where they can, they ask under a key, and ask again until they know what came of it. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { consoleHeader } from '../../../src/api/callers/console-session.ts';
import type { Credentials } from '../../../src/app/bootstrap.ts';
import { basePath } from '../../../src/app/interface/address.ts';
import { behindHeader } from '../../../src/infrastructure/http/behind.ts';
import { stringify } from '../../../src/kernel/json.ts';
import { basic } from '../../support/http/client.ts';
import type { Bug } from './bugs.ts';
import { callsOf } from './engine/turns.ts';
import { credentialsOf, type LiveProcess } from './installation.ts';
import type { Answer } from './ports/network.ts';
import type { World } from './world.ts';

/** Which of the platforms asks; 0 is the first. */
export const platformNumbers = [0, 1] as const;
export type PlatformNumber = (typeof platformNumbers)[number];

export type Question = {
  readonly by: PlatformNumber;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** In place of a body of JSON. */
  readonly form?: { readonly type: string; readonly text: string };
  readonly bearer?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Other credentials than the platform's first. */
  readonly as?: Credentials;
  /** In place of credentials: of somebody who is signed in at the console, or is about to be. */
  readonly cookie?: string;
};

/** All that was said to one question, in the order in which it came back. */
export type Asked = Question & {
  /** How far the log went when it was asked for the first time. */
  from: bigint;
  /** Where the operation takes one: what is asked again under it is done once. */
  readonly key: string | undefined;
  readonly answers: Heard[];
};
/** How far the log went when it was asked for, and when the answer came. */
export type Heard = Answer & { readonly from: bigint; readonly to: bigint };

/** What a platform does in one go, and how often each of them had gone back by then. */
type Act = readonly number[];

/** What takes an Idempotency-Key. */
const keyed = /^(\/agents\/me)?\/(transfer-(in|out)|quotes|quotes\/[^/]*\/execute)$/;

const triesMax = 6;
/** Until a client asks again that has not heard anything, or that was told to come later. */
const againMs = 400;
/** One that can ask again waits no longer for an answer. */
const waitsMaxMs = 4_500;
/** So long the read models are given to catch up, where an answer says that they are behind. */
const untilShownMs = 2_000;

export type Backends = ReturnType<typeof createBackends>;

export function createBackends(
  { random, faults, turns, network, processes, control }: World,
  { keyOf }: Bug = {},
) {
  const asked: Asked[] = [];
  let keys = 0;
  const acting = new AsyncLocalStorage<Act>();
  const returns = platformNumbers.map(() => 0);
  const isTurning = platformNumbers.map(() => false);
  /** Whether the platform has gone back since, or is about to: what it is told then says nothing of what is. */
  const isOvertaken = (by: PlatformNumber): boolean => {
    const act = acting.getStore();
    return act !== undefined && (isTurning[by] === true || act[by] !== returns[by]);
  };

  const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));
  const turn = callsOf(turns, 'client', control.logEnd);
  /** A process that takes requests: any of them, as behind a balancer. */
  const anybody = (): LiveProcess | undefined =>
    random.pick(processes().filter(({ process, server }) => process.isAlive() && server()));

  /** One request; nothing comes back where it, its answer or the process is lost. */
  const once = async (
    { by, method, path, body, form, bearer, headers: more, cookie, as = credentialsOf(by) }: Question,
    key?: string,
    begins: (from: bigint) => void = () => undefined,
  ): Promise<Heard | undefined> => {
    const from = await turn();
    begins(from);
    const found = anybody();
    const server = found?.server();
    if (!found || !server || faults.strikes('request lost')) return undefined;
    const sending = form ?? (body && { type: 'application/json', text: stringify(body) });
    const headers = {
      ...more,
      ...(cookie === undefined
        ? { authorization: bearer ? `Bearer ${bearer}` : basic(as) }
        : { cookie, [consoleHeader]: '1' }),
      connection: 'close',
      ...(key && { 'idempotency-key': key }),
      ...(sending && { 'content-type': sending.type }),
    };
    const sent = { method, path: `${basePath}${path}`, headers, ...(sending && { body: sending.text }) };
    const patience = Promise.withResolvers<undefined>();
    const waiting = key && setTimeout(() => patience.resolve(undefined), waitsMaxMs);
    const answering = network.send(found.process, server, sent);
    const answer = await Promise.race([answering, found.ended, patience.promise]);
    clearTimeout(waiting);
    const to = await turn();
    return faults.strikes('answer lost') || !answer ? undefined : { ...answer, from, to };
  };

  const untilOne = async (one: Asked): Promise<Answer | undefined> => {
    const { key } = one;
    const begins = (from: bigint) => {
      if (one.from < 0n) one.from = from;
    };
    const attempt = async (tries: number) => {
      const answer = await once(one, key && (keyOf?.(key, tries) ?? key), begins);
      if (answer) one.answers.push(answer);
      return answer;
    };
    if (!key) return attempt(0);
    for (let tries = 0; tries < triesMax; tries++) {
      const other = faults.strikes('request twice at once') ? attempt(tries + triesMax) : undefined;
      const answer = (await attempt(tries)) ?? (await other);
      if (answer && decides(answer)) return answer;
      await pause(againMs * 2 ** tries);
    }
    return undefined;
  };
  const unlessOvertaken = async (by: PlatformNumber, asking: Promise<Answer | undefined>) => {
    const answer = await asking;
    return isOvertaken(by) ? undefined : answer;
  };
  /**
   * Asks, under a new key until there is an answer that decides; gives up after some tries, and does not know then. What
   * takes no key is asked once.
   */
  const ask = (question: Question): Promise<Answer | undefined> => {
    const key = question.method === 'POST' && keyed.test(question.path) ? `key-${++keys}` : undefined;
    const one: Asked = { ...question, from: -1n, key, answers: [] };
    asked.push(one);
    return unlessOvertaken(question.by, untilOne(one));
  };

  return {
    asked: asked as readonly Asked[],
    ask,
    /** Asks once more for what was asked for before, under its key. */
    askAgain: untilOne,
    /** An act that a way back of its platform overtakes is told nothing more. */
    act: <Result>(work: () => Promise<Result>): Promise<Result> => acting.run([...returns], work),
    /** From here on the platform may go back at any moment, until what this gives is called. */
    turnBack(by: PlatformNumber): () => void {
      const isAt = (turning: boolean) => {
        isTurning[by] = turning;
        returns[by] = (returns[by] ?? 0) + 1;
      };
      isAt(true);
      return () => isAt(false);
    },
    post: (
      by: PlatformNumber,
      path: string,
      body?: object,
      more: Pick<Question, 'bearer' | 'headers' | 'cookie'> = {},
    ): Promise<Answer | undefined> => ask({ by, method: 'POST', path, ...(body && { body }), ...more }),
    pause,
    /** Waits where the answer says that the read models are behind. */
    untilShown: async (answer: Answer): Promise<void> => {
      if (isBehind(answer)) await pause(untilShownMs);
    },
    /** Asks again and again, for what takes no key and may be done twice. */
    async untilDecided(request: () => Promise<Answer | undefined>): Promise<void> {
      for (;;) {
        const answer = await request();
        if (answer && decides(answer)) return;
        await pause(againMs);
      }
    },
    /** Asks for what changes nothing; once. */
    read: (
      by: PlatformNumber,
      path: string,
      who: Pick<Question, 'as' | 'cookie'> = {},
    ): Promise<Answer | undefined> => unlessOvertaken(by, once({ by, method: 'GET', path, ...who })),
  };
}

/** Whether it is settled what has become of the request. */
export const decides = ({ status }: Answer): boolean => status < 500 && status !== 429;

/** Whether the answer says that the read models had not been waited for. */
export const isBehind = ({ headers }: Answer): boolean => headers[behindHeader.toLowerCase()] !== undefined;
