/** Mistakes that are planted at the ports of a process, of the kinds that services like this one have had. */
import { rm } from 'node:fs/promises';
import { ANY } from '@eventstore/db-client';
import type { OwnScreening } from '../../../src/app/parts/screening.ts';
import type { Rail, RailRequest } from '../../../src/domain/ports/rail-module.ts';
import type { EventStoreDbClient } from '../../../src/infrastructure/event-store/eventstoredb.ts';
import { signedHeaders } from '../../../src/infrastructure/secrets/signed-message.ts';
import type { httpRail } from '../../../src/outside/http-rail.ts';
import type { Mailer } from '../../../src/workers/mail/smtp.ts';
import type { Room } from './acts/workload.ts';
import type { Chances } from './faults.ts';
import { rail, screening } from './ports/elsewhere/addresses.ts';
import type { FileCall } from './ports/files.ts';

export type Bug = {
  /** What is sent to Postgres in place of a statement. */
  readonly statement?: (text: string) => string;
  /** What is called in place of a function of the file system. */
  readonly file?: (name: string, original: FileCall) => FileCall;
  /** In place of the client of a server that has the log alone: lives with it are in EventStoreDB. */
  readonly logClient?: (original: EventStoreDbClient) => EventStoreDbClient;
  /** In place of the connectors that ask over a network: lives with them have one. */
  readonly screening?: (original: OwnScreening) => OwnScreening;
  readonly mailer?: (original: Mailer) => Mailer;
  readonly rail?: (original: typeof httpRail) => typeof httpRail;
  /** The key of a client that asks again. */
  readonly keyOf?: (key: string, tries: number) => string;
  /** What has to go wrong for it to show, and is rare. */
  readonly chances?: Chances;
  /** What has to be done for it to show, and is done seldom. */
  readonly about?: readonly Room[];
};

type LogClient = Pick<EventStoreDbClient, 'appendToStream' | 'subscribeToAll'>;

/** Some calls of a client are carried out in another way. */
const otherwise =
  (changed: (original: EventStoreDbClient) => Partial<LogClient>) =>
  (original: EventStoreDbClient): EventStoreDbClient => ({ ...original, ...changed(original) });

/** What is posted is taken for signed. */
const whoeverSigned =
  (secret: string, { receive }: Pick<Rail, 'receive'>) =>
  async ({ body }: RailRequest): Promise<number> =>
    receive?.({ headers: signedHeaders(secret, { id: 'any', sentAt: new Date() }, body), body }) ?? 404;

/** In each statement that has it, one part in place of another. */
const instead =
  (...pairs: readonly (readonly [part: string | RegExp, other: string])[]) =>
  (text: string): string =>
    pairs.reduce((changed, [part, other]) => changed.replace(part, other), text);

const isAboutPayments = /^select .* from "transactions"/;

/** In place of the statement that takes keys: the right to run is given to whoever finds no answer. */
const keyThatIsNotHeld = `
  select s.scope, $3::timestamptz as since, (clock_timestamp() + $2 * interval '1 millisecond')::text as until,
    s.fingerprint, false as "isRepeat"
  from rows from (unnest($1::text[]), json_array_elements_text($5), unnest($6::text[])) as s (scope, fingerprint, tenant)
  left join idempotency_keys k on k.scope = s.scope where k.status is null and ($4::int, $7::int, $8::int, $9::int) is not null`;

export const bugs = {
  "a client's retry has another key": {
    about: ['payments'],
    chances: { 'answer lost': 0.3 },
    keyOf: (key, tries) => `${key}-${tries}`,
  },
  'a key means something new each time': {
    about: ['payments'],
    chances: { 'answer lost': 0.3 },
    statement: instead(
      [
        /created_at = case when .* then excluded.created_at else k.created_at end/,
        'created_at = excluded.created_at',
      ],
      ['where (k.status is null and k.held_until not between', 'where true or (k.held_until between'],
    ),
  },
  'a key is kept with its answer, and not before': {
    about: ['payments'],
    chances: { 'request twice at once': 0.8 },
    statement: (text) => (text.includes('"isRepeat"') ? keyThatIsNotHeld : text),
  },
  "a webhook goes to another platform's endpoint": {
    statement: instead([
      'join webhook_endpoints e on e.platform_id = p.platform_id and',
      'join webhook_endpoints e on e.platform_id <> p.platform_id and',
    ]),
  },
  'a webhook does not wait for the one before it': {
    statement: instead(
      ["w.object_id = e.object_id and w.state = 'PENDING'", 'false'],
      [') = 1 then at end', ') > 0 then at end'],
      ['and held.id = (', 'and held.id is not null or false and held.id = ('],
    ),
  },
  'a payment is found by its id alone': {
    statement: (text) =>
      isAboutPayments.test(text) ? text.replace(/"platform_id" = (\$\d+)/, '$1::text is not null') : text,
  },
  'a checkpoint is that of another log': {
    statement: instead([
      /^select "position" from "checkpoints" where "name" = \$1$/,
      'select "position" + 1000000 as "position" from "checkpoints" where "name" = $1',
    ]),
  },
  'who follows the log passes over what was committed late': {
    statement: instead([
      'where position > $1 order by position limit $2',
      'where position > greatest($1, (select max(position) - 2 from daybook_log.events)) order by position limit $2',
    ]),
  },
  'rows are written by who has lost its lease': {
    statement: instead(
      ['l.renewed_at not between', 'true or l.renewed_at not between'],
      [/"token" (<?=) (\$\d+)/, '$2::bigint is not null'],
    ),
  },
  'a token works after it was deleted': {
    statement: instead(
      ['api_tokens.deleted_at is null', 'true'],
      ['d.deleted_at > api_tokens.updated_at', 'false'],
    ),
  },
  'a session of the console goes on after its end': {
    about: ['desks'],
    statement: instead([
      'delete from console_sessions where session_hash = $1',
      'select from console_sessions where session_hash = $1',
    ]),
  },
  'a page begins with the last row of the one before': {
    about: ['people', 'payments'],
    statement: instead(['(t.created_at, t.id) <', '(t.created_at, t.id) <=']),
  },
  'of several persons one is taken for erased': {
    statement: instead([
      /(from person_keys where id = any\(\$1\))$/,
      '$1 and (cardinality($$1::text[]) < 2 or id <> ($$1::text[])[1])',
    ]),
  },
  'what a document has given up stays': {
    about: ['documents'],
    statement: instead(['delete from document_contents where id = $1', 'select $1::text']),
  },
  'a content is taken away that its document has': {
    about: ['documents'],
    statement: instead([
      'update document_contents set is_kept = true where id = $1',
      'delete from document_contents where id = $1',
    ]),
  },
  'a mail is sent before the log is known to have its code': {
    about: ['wallets', 'credentials'],
    chances: { 'answer of an append late': 0.6 },
    statement: instead([
      'released_at is not null and sent_at is null and next_attempt_at <= $1',
      'sent_at is null and coalesce(next_attempt_at, created_at) <= $1',
    ]),
  },
  'a mail is sent again though it is known to be sent': {
    about: ['wallets', 'credentials'],
    statement: instead([
      'sent_at is null and next_attempt_at <=',
      '(sent_at is null or attempts = 1) and next_attempt_at <=',
    ]),
  },
  'a file of the bank is gone before it is read': {
    about: ['payments'],
    file:
      (name, original) =>
      async (...args) => {
        if (name === 'stat' && /\/in\/.*[02468]\.xml$/.test(String(args[0])))
          await rm(args[0], { force: true });
        return original(...args);
      },
  },
  'a key stays that came after the snapshot': {
    statement: instead([
      'delete from idempotency_keys k where k.tenant',
      'delete from idempotency_keys k where false and k.tenant',
    ]),
  },
  'timers of what a way back has taken go on': {
    statement: instead([
      /^delete from "timers" where platform_id/,
      'delete from "timers" where false and platform_id',
    ]),
  },
  'an append does not look whether another came first': {
    about: ['payments'],
    logClient: otherwise(({ appendToStream }) => ({
      appendToStream: (stream, events, options) =>
        appendToStream(stream, events, { ...options, expectedRevision: ANY }),
    })),
  },
  'a subscription goes on one event too late': {
    logClient: otherwise(({ subscribeToAll }) => ({
      subscribeToAll(options) {
        const live = subscribeToAll(options);
        if (typeof options?.fromPosition !== 'object') return live;
        const { push } = live;
        live.push = (event) => {
          live.push = push;
          return event === null && push.call(live, event);
        };
        return live;
      },
    })),
  },
  'a verdict is taken whoever has signed it': {
    about: ['businesses'],
    chances: { 'verdict that the screening has not signed': 0.9 },
    screening: (original) => (reports) => {
      const connected = original(reports);
      return { ...connected, receive: whoeverSigned(screening.secret, connected) };
    },
  },
  'an ending is taken whoever has signed it': {
    about: ['payments'],
    chances: { 'event that the rail has not signed': 0.9 },
    rail: (original) => (address, context) => {
      const connected = original(address, context);
      return { ...connected, receive: whoeverSigned(rail.secret, connected) };
    },
  },
  'a rail whose answer breaks off is taken to have refused': {
    about: ['payments'],
    chances: { 'answer of the rail breaks off': 0.4 },
    rail: (original) => (address, context) => {
      const connected = original(address, context);
      const submit: typeof connected.submit = (...asked) =>
        connected.submit(...asked).catch(() => ({ status: 'ended', ending: { status: 'cancelled' } }));
      return { ...connected, submit };
    },
  },
  'an ending that the rail tells is answered, and not recorded': {
    about: ['payments'],
    rail: (original) => (address, context) => {
      const reports = { ...context.reports, ended: async () => 'unchanged' as const };
      return original(address, { ...context, reports });
    },
  },
  'money that the rail tells of is answered, and not credited': {
    about: ['payments'],
    rail: (original) => (address, context) => {
      const arrived = async () =>
        ({ status: 'refused', code: 'CONFLICT', message: 'no', stays: true }) as const;
      return original(address, { ...context, reports: { ...context.reports, arrived } });
    },
  },
  'money that the rail was told is refused is credited when it comes again': {
    about: ['payments', 'operators'],
    rail: (original) => (address, context) => {
      const { arrived: taking } = context.reports;
      const arrived: typeof taking = async (money) => {
        const arrival = await taking({ ...money, refusalIsFinal: false });
        return arrival.status === 'refused' ? { ...arrival, stays: true } : arrival;
      };
      return original(address, { ...context, reports: { ...context.reports, arrived } });
    },
  },
  'a mail whose server says nothing is taken for sent': {
    mailer: (original) => ({
      ...original,
      send: (...mail) =>
        original.send(...mail).catch((error) => {
          if ('responseCode' in error) throw error;
        }),
    }),
  },
} as const satisfies Readonly<Record<string, Bug>>;

export type BugName = keyof typeof bugs;
