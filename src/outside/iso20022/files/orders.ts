/** Payments that wait for their order, and orders on their way into the folder of the bank. */
import { link, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { currencies } from '../values/amounts.ts';
import { move, readIfAny, writeAnew, writeOnce } from './atomic.ts';
import type { Folders } from './folders.ts';

const plan = z.object({
  messageId: z.string(),
  createdAt: z.string(),
  currency: z.enum(currencies),
  isInstant: z.boolean(),
  endToEndIds: z.array(z.string()),
});
export type Plan = z.output<typeof plan>;

/** `planned`: nothing of it was shown to the bank. `staged`: its file is complete, and shown unless it still lies here. */
export type OpenPlan = { readonly stage: 'planned' | 'staged'; readonly plan: Plan };

export type Orders = {
  readonly wait: (endToEndId: string) => Promise<void>;
  readonly waiting: () => Promise<readonly string[]>;
  readonly stopWaiting: (endToEndIds: readonly string[]) => Promise<void>;
  readonly begin: (plan: Plan) => Promise<void>;
  /** Orders that were begun and not ended: the process stopped in between. */
  readonly open: () => Promise<readonly OpenPlan[]>;
  /** From here on the file is as it is. */
  readonly stage: (messageId: string, text: string) => Promise<void>;
  /** Shows the staged file to the bank, once: by moving it, so that what is shown is no longer here. */
  readonly show: (messageId: string) => Promise<void>;
  /** An order without transfers, since others had taken them. */
  readonly drop: (messageId: string) => Promise<void>;
  /** The order as it went out. */
  readonly sent: (messageId: string) => Promise<Plan | undefined>;
};

const ownMessageId = /^[0-9a-f]{32}$/;

/** The bank's software may run as another user of the same group. */
const shownMode = 0o640;

export function openOrders({ state, out, sent }: Pick<Folders, 'state' | 'out' | 'sent'>): Orders {
  const waitingFolder = join(state, 'waiting');
  const openFolder = join(state, 'orders');
  const doneFolder = join(state, 'orders-sent');
  const planPath = (messageId: string, stage: OpenPlan['stage']) =>
    join(openFolder, `${messageId}.${stage}.json`);
  const donePath = (messageId: string) => join(doneFolder, messageId.slice(-2), `${messageId}.json`);
  const filePath = (messageId: string) => join(openFolder, `${messageId}.xml`);
  const namesOf = (folder: string) => readdir(folder).catch(none);
  const load = async (path: string) => {
    const text = await readIfAny(path);
    return text === undefined ? undefined : plan.parse(JSON.parse(text));
  };

  return {
    async wait(endToEndId) {
      await writeOnce(join(waitingFolder, endToEndId), '');
    },
    waiting: async () => (await namesOf(waitingFolder)).filter((name) => !name.startsWith('.')).toSorted(),
    async stopWaiting(endToEndIds) {
      for (const one of endToEndIds) await rm(join(waitingFolder, one), { force: true });
    },
    begin: (one) => writeAnew(planPath(one.messageId, 'planned'), JSON.stringify(one)),
    async open() {
      const found: OpenPlan[] = [];
      for (const name of (await namesOf(openFolder)).toSorted()) {
        const [, stage] = /^[0-9a-f]{32}\.(planned|staged)\.json$/.exec(name) ?? [];
        const read = stage && (await load(join(openFolder, name)));
        if (read) found.push({ stage: stage === 'staged' ? 'staged' : 'planned', plan: read });
      }
      return found;
    },
    async stage(messageId, text) {
      await writeAnew(filePath(messageId), text, shownMode);
      await move(planPath(messageId, 'planned'), planPath(messageId, 'staged'));
    },
    async show(messageId) {
      const shown = `${messageId}.xml`;
      await link(filePath(messageId), join(sent, shown)).catch(unlessThere);
      await move(filePath(messageId), join(out, shown));
      await move(planPath(messageId, 'staged'), donePath(messageId));
    },
    drop: (messageId) => move(planPath(messageId, 'planned'), donePath(messageId)),
    sent: async (messageId) => (ownMessageId.test(messageId) ? load(donePath(messageId)) : undefined),
  };
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

function none(error: unknown): string[] {
  if (codeOf(error) === 'ENOENT') return [];
  throw error;
}

/** The file was linked already, or was shown already. */
function unlessThere(error: unknown): void {
  const code = codeOf(error);
  if (code !== 'EEXIST' && code !== 'ENOENT') throw error;
}
