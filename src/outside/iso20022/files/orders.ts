/** Payments that wait for their order, and orders on their way into the folder of the bank. */
import { link, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf } from '../../../infrastructure/error-code.ts';
import type { Ids } from '../../../kernel/ids.ts';
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

/**
 * `planned`: nothing of it was shown to the bank. `staged`: its file is complete, and shown unless it still lies here. A
 * planned order is finished by whoever claimed it last, and by nobody else.
 */
export type OpenPlan = {
  readonly stage: 'planned' | 'staged';
  readonly claim: string;
  readonly plan: Plan;
};

export type Orders = {
  readonly wait: (endToEndId: string) => Promise<void>;
  readonly waiting: () => Promise<readonly string[]>;
  readonly stopWaiting: (endToEndIds: readonly string[]) => Promise<void>;
  readonly begin: (plan: Plan) => Promise<OpenPlan>;
  /** Orders that were begun and not ended, since their process stopped in between. They are claimed. */
  readonly open: () => Promise<readonly OpenPlan[]>;
  /** From here on the file is as it is. Throws where another process has claimed the order. */
  readonly stage: (open: OpenPlan, text: string) => Promise<void>;
  /** Shows the staged file to the bank, once: by moving it, so that what is shown is no longer here. */
  readonly show: (open: OpenPlan) => Promise<void>;
  /** Of an order that was shown: nothing is left to do for it. */
  readonly end: (open: OpenPlan) => Promise<void>;
  /** An order without transfers, since others had taken them. */
  readonly drop: (open: OpenPlan) => Promise<void>;
  /** The order as it went out. */
  readonly sent: (messageId: string) => Promise<Plan | undefined>;
};

const ownMessageId = /^[0-9a-f]{32}$/;

/** The bank's software may run as another user of the same group. */
const shownMode = 0o640;

export function openOrders(folders: Pick<Folders, 'state' | 'out' | 'sent'>, ids: Ids): Orders {
  const { state, out, sent } = folders;
  const waitingFolder = join(state, 'waiting');
  const openFolder = join(state, 'orders');
  const doneFolder = join(state, 'orders-sent');
  const pathOf = ({ plan: { messageId }, claim }: Named, kind: OpenPlan['stage'] | 'xml') =>
    join(openFolder, `${messageId}.${claim}.${kind === 'xml' ? kind : `${kind}.json`}`);
  const donePath = (messageId: string) => join(doneFolder, messageId.slice(-2), `${messageId}.json`);
  const namesOf = (folder: string) => readdir(folder).catch(none);
  const load = async (path: string) => {
    const text = await readIfAny(path);
    return text === undefined ? undefined : plan.parse(JSON.parse(text));
  };
  const newClaim = () => compact(ids.uuid());

  /** Takes a planned order over: what the former process has written of its file counts for nothing. */
  const claimed = async (former: OpenPlan): Promise<OpenPlan | undefined> => {
    if (former.stage === 'staged') return former;
    const open = { ...former, claim: newClaim() };
    const isOurs = await move(pathOf(former, 'planned'), pathOf(open, 'planned'));
    if (isOurs) await rm(pathOf(former, 'xml'), { force: true });
    return isOurs ? open : undefined;
  };

  return {
    async wait(endToEndId) {
      await writeOnce(join(waitingFolder, endToEndId), '');
    },
    waiting: async () => (await namesOf(waitingFolder)).filter((name) => !name.startsWith('.')).toSorted(),
    async stopWaiting(endToEndIds) {
      for (const one of endToEndIds) await rm(join(waitingFolder, one), { force: true });
    },
    async begin(one) {
      const open = { stage: 'planned', claim: newClaim(), plan: one } as const;
      await writeAnew(pathOf(open, 'planned'), JSON.stringify(one));
      return open;
    },
    async open() {
      const found: OpenPlan[] = [];
      for (const name of (await namesOf(openFolder)).toSorted()) {
        const [, claim, kind] = /^[0-9a-f]{32}\.([0-9a-f]{32})\.(planned|staged)\.json$/.exec(name) ?? [];
        const read = claim && (await load(join(openFolder, name)));
        const stage = kind === 'staged' ? 'staged' : 'planned';
        const open = read && (await claimed({ stage, claim, plan: read }));
        if (open) found.push(open);
      }
      return found;
    },
    async stage(open, text) {
      await writeAnew(pathOf(open, 'xml'), text, shownMode);
      if (await move(pathOf(open, 'planned'), pathOf(open, 'staged'))) return;
      await rm(pathOf(open, 'xml'), { force: true });
      throw new Error(`another process has claimed the order ${open.plan.messageId}`);
    },
    async show(open) {
      const { messageId } = open.plan;
      await link(pathOf(open, 'xml'), join(sent, `${messageId}.xml`)).catch(unlessThere);
      await move(pathOf(open, 'xml'), join(out, `${messageId}.xml`));
    },
    async end(open) {
      await move(pathOf(open, 'staged'), donePath(open.plan.messageId));
    },
    async drop(open) {
      await move(pathOf(open, 'planned'), donePath(open.plan.messageId));
    },
    sent: async (messageId) => (ownMessageId.test(messageId) ? load(donePath(messageId)) : undefined),
  };
}

type Named = Pick<OpenPlan, 'plan' | 'claim'>;

/** A uuid as banks take it: 32 characters. */
export const compact = (uuid: string): string => uuid.replaceAll('-', '');

function none(error: unknown): string[] {
  if (codeOf(error) === 'ENOENT') return [];
  throw error;
}

/** The file was linked already, or was shown already. */
function unlessThere(error: unknown): void {
  const code = codeOf(error);
  if (code !== 'EEXIST' && code !== 'ENOENT') throw error;
}
