import type { Duplex } from 'node:stream';
import pg from 'pg';
import { notAnswered } from '../away.ts';

/** A server that is there takes its leave at once. */
const endMaxMs = 1_000;

// biome-ignore lint/suspicious/noExplicitAny: pg says no more of what a statement comes to
type Answered = (error: Error | null | undefined, answer?: any) => void;

/**
 * A statement that is waited for. Nothing of it reaches the statement: by way of a closure, as which pg itself would keep
 * its time, the statement and its values outlive their answer until the next collection of the whole heap.
 */
class Asked {
  readonly #client: BoundedClient;
  readonly #answered: Answered;
  readonly #timer: NodeJS.Timeout;
  #isOver = false;

  constructor(client: BoundedClient, ms: number, answered: Answered) {
    this.#client = client;
    this.#answered = answered;
    this.#timer = setTimeout(Asked.#giveUp, ms, this);
  }

  static #giveUp(asked: Asked): void {
    asked.#isOver = true;
    asked.#client.emit('late');
    asked.#answered(notAnswered());
    asked.#client.end().catch(() => {});
  }

  answer(error: Error | null | undefined, answer?: unknown): void {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    this.#answered(error, answer);
  }
}

type Bounds = { readonly answerMaxMs?: number };

/**
 * A statement without an answer in time takes its connection with it: the answer may come at any moment, or never. Nor
 * is the other end waited for when the connection ends.
 */
export class BoundedClient extends pg.Client {
  readonly #answerMaxMs: number;
  /** By the clock of `performance.now()`. */
  readonly madeAt = performance.now();

  /** `answerMaxMs` of 0 means no bound. */
  constructor({ answerMaxMs = 0, ...config }: pg.ClientConfig & Bounds) {
    super(config);
    this.#answerMaxMs = answerMaxMs;
  }

  // biome-ignore lint/suspicious/noExplicitAny: as the class that it extends has it
  override end(ended?: any): any {
    const { stream } = (this as unknown as { connection: { stream: Duplex } }).connection;
    const timer = setTimeout(() => stream.destroy(), endMaxMs).unref();
    stream.once('close', () => clearTimeout(timer));
    return super.end(ended);
  }

  // biome-ignore lint/suspicious/noExplicitAny: as the class that it extends has it
  override query(...args: any[]): any {
    const [asked, answered] = [args[0], args.at(-1)];
    if (this.#answerMaxMs === 0) return super.query(...(args as [string]));
    // It has nobody who is told of its answer.
    if (typeof asked?.submit === 'function')
      return super.query(Object.assign(asked, { query_timeout: this.#answerMaxMs }));
    if (typeof answered === 'function') return this.#ask(args.slice(0, -1), answered);
    const done = new Promise((resolve, reject) => {
      this.#ask(args, (error, answer) => (error ? reject(error) : resolve(answer)));
    });
    return done.catch((error: Error) => {
      // Where the statement was asked, in place of where its answer was read.
      Error.captureStackTrace(error);
      throw error;
    });
  }

  #ask(args: unknown[], answered: Answered): void {
    const asked = new Asked(this, this.#answerMaxMs, answered);
    super.query(...(args as [string]), asked.answer.bind(asked));
  }
}
