/** Who asked for something, who decided on it, and who signed it. */
import type { LogReader } from '../../../../infrastructure/event-store/postgres/reader.ts';
import { stringify } from '../../../../kernel/json.ts';
import { describeEvent } from '../../../../use-cases/audit/describe-event.ts';
import { onLogAlone } from '../beside.ts';
import { printable } from '../printable.ts';
import { tellWrong } from './outcome.ts';
import { eventsOf, type ReadEvent } from './reading.ts';
import { type Checked, checkSignature } from './signatures.ts';
import { standingAt } from './standing.ts';
import { eventsAbout } from './target.ts';

type Part = 'asked' | 'approved' | 'rejected' | 'signed' | 'did';

type Doing = {
  readonly did: Part;
  readonly who: string;
  /** Of a token or an agent: as it was named at first. */
  readonly name?: string | undefined;
  readonly position: bigint;
  readonly type: string;
  readonly at: string;
  readonly says: string;
  readonly signature?: Checked | undefined;
};

/** What runs by itself, and is nobody. */
const nobody: ReadonlySet<string> = new Set(['policy', 'timer', 'rail', 'wallets']);

/** The exit code says whether a signature is wrong. */
export const showWho = ({
  target,
  json,
}: {
  readonly target: string;
  readonly json: boolean;
}): Promise<void> =>
  onLogAlone(async ({ log: whole }) => {
    const log = await standingAt(whole, undefined);
    const doings: Doing[] = [];
    const nameOf = names(log);
    for await (const read of eventsAbout(log, target)) {
      if (await followsByItself(log, read)) continue;
      const signature = await checkSignature(log, read);
      for (const part of partsOf(read, signature)) doings.push({ ...part, name: await nameOf(part.who) });
    }
    process.stdout.write(json ? `${stringify({ target, doings })}\n` : doings.map(inText).join(''));
    tellWrong(
      doings.flatMap(({ position, type, signature }) =>
        signature?.verdict === 'wrong'
          ? [`The signature of ${type} at ${position} is wrong: ${signature.because}.`]
          : [],
      ),
    );
  });

function partsOf(read: ReadEvent, signature: Checked | undefined): readonly Doing[] {
  const { event, moments, position } = read;
  const { type, data, metadata } = event;
  const decidedBy = 'decidedBy' in data ? data.decidedBy : undefined;
  const who = decidedBy ?? metadata.actor;
  const common = { position, type, at: moments.recorded.toISOString(), says: describeEvent(event) };
  const parts: Doing[] = [];
  if (decidedBy !== undefined || !nobody.has(who))
    parts.push({ ...common, who, did: partOf(read, decidedBy !== undefined) });
  if (signature) parts.push({ ...common, who: signature.sessionId, did: 'signed', signature });
  return parts;
}

/** What the rail does while it answers a request, under the actor of that. */
const ofRail: ReadonlySet<string> = new Set([
  'PaymentRouted',
  'PaymentSubmitted',
  'CreditDue',
  'TransactionCompleted',
  'TransactionFailed',
  'PaymentReturned',
]);

/** A payment that its platform is not asked about is approved at once, under the actor of its first event. */
async function followsByItself(log: Pick<LogReader, 'read'>, { event, stored }: ReadEvent): Promise<boolean> {
  if (ofRail.has(event.type)) return true;
  if (event.type !== 'PaymentApproved' && event.type !== 'TransactionRejected') return false;
  const [first] = await log.read(stored.stream, 0, 1);
  return first?.data.approvalDueAt === undefined;
}

const approvals: ReadonlySet<string> = new Set(['PaymentApproved', 'AgentActionStarted']);
const rejections: ReadonlySet<string> = new Set(['TransactionRejected', 'AgentActionRejected']);

function partOf({ event, stored }: ReadEvent, isDecided: boolean): Part {
  const { type } = event;
  if (rejections.has(type)) return 'rejected';
  if (approvals.has(type) && (isDecided || type === 'PaymentApproved')) return 'approved';
  // The first event of a payment that begins with a debit follows from that.
  const isFirst =
    stored.revision === 0 || (event.type === 'AccountDebited' && event.data.opens !== undefined);
  return isFirst || type === 'AgentActionRequested' || type === 'AgentActionStarted' ? 'asked' : 'did';
}

/** What tokens and agents are called, each read once. */
function names(log: Pick<LogReader, 'read'>): (who: string) => Promise<string | undefined> {
  const known = new Map<string, Promise<string | undefined>>();
  const read = async (who: string) => {
    const [, type = '', uuid = ''] = /^(?:token|agent):(Token|Agent):(.+)$/.exec(who) ?? [];
    if (type === '') return undefined;
    for await (const { event } of eventsOf(log, `${type.toLowerCase()}-${uuid}`))
      return event.type === 'TokenIssued' || event.type === 'AgentCreated' ? event.data.name : undefined;
    return undefined;
  };
  return (who) => {
    const name = known.get(who) ?? read(who);
    known.set(who, name);
    return name;
  };
}

function inText({ did, who, name, position, at, says, signature }: Doing): string {
  const by = printable(name === undefined ? who : `${who} (${name})`);
  const checked = signature
    ? `    signature ${signature.verdict}, by the key ${printable(signature.publicKey ?? '–')}\n`
    : '';
  return `${did}  ${by}\n    ${at}, position ${position}: ${printable(says)}\n${checked}`;
}
