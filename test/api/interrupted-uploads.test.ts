import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aggregates } from '../../src/domain/aggregates.ts';
import { createDispatcher } from '../../src/infrastructure/commands/dispatch.ts';
import { postgresEventStore } from '../../src/infrastructure/event-store/postgres/store.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { createPool } from '../../src/infrastructure/postgres/pool.ts';
import { idOf, systemIds, uuidOf } from '../../src/kernel/ids.ts';
import type { Commands } from '../../src/use-cases/commands.ts';
import { createDocumentContents, type DocumentContents } from '../../src/use-cases/documents/contents.ts';
import { documentVersion } from '../support/builders/documents.ts';
import type { Client, Json } from '../support/http/client.ts';
import { query } from '../support/postgres/database.ts';
import { startTestService, type TestService } from '../support/processes/service.ts';
import { fieldsOf, fileOf, formOf, uploadDocument } from '../support/resources/documents.ts';
import { createCustomer, eventually } from '../support/resources/flows.ts';

let service: TestService;
let client: Client;
/** Commands that are followed by nothing, as of a process that is killed right after each. */
let bare: Commands;
/** The contents as they look two hours ago, so that everything new is old at once. */
let before: DocumentContents;
/** The contents as they look now. */
let contents: DocumentContents;
const closers: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  service = await startTestService();
  ({ client } = service);
  const pool = createPool({ url: service.databaseUrl, max: 2, name: 'test-contents' });
  const store = await postgresEventStore(service.databaseUrl, createLog('silent'));
  const now = () => new Date();
  bare = createDispatcher({ store, newEventId: systemIds.uuid, now }, aggregates, []);
  const deps = { pool, commands: bare, ids: systemIds };
  contents = createDocumentContents({ ...deps, now });
  before = createDocumentContents({ ...deps, now: () => new Date(Date.now() - 7_200_000) });
  closers.push(
    service.stop,
    () => store.close(),
    () => pool.end(),
  );
});
afterAll(async () => {
  for (const close of closers) await close();
});

const stored = async (id: string): Promise<boolean> =>
  (await query(service.databaseUrl, 'select 1 from daybook.document_chunks where content_id = $1', [id]))
    .length > 0;

async function newContent(of: DocumentContents): Promise<string> {
  const id = await of.begin();
  await of.append(id, 0, fileOf('image/png'));
  return id;
}

const cause = { correlationId: 'cut short', causationId: 'cut short', actor: 'test' };
const at = new Date();

/** A document and a new content that its event names, with nothing after the event. */
async function replacedOnly(): Promise<{ document: Json; contentId: string; former: string }> {
  const { id: holder } = await createCustomer(client);
  const document = await uploadDocument(client, holder);
  const found = await bare.load('document', uuidOf(document.id));
  if (found.status !== 'kept') throw new Error('not uploaded');
  const contentId = await newContent(before);
  await before.claim(contentId, idOf('Document', uuidOf(document.id)));
  const version = documentVersion({ contentId });
  const { platformId, contentId: former } = found.details;
  const command = { type: 'ReplaceDocument', version, at } as const;
  await bare.run('document', uuidOf(document.id), command, { platformId, ...cause });
  return { document, contentId, former };
}

describe('an upload that was cut short', () => {
  it('is removed after an hour', async () => {
    const [old, young] = [await newContent(before), await newContent(contents)];
    await contents.sweep();
    expect([await stored(old), await stored(young)]).toEqual([false, true]);
    await contents.discard(young);
    expect(await stored(young)).toBe(false);
  });

  it('is removed when the document that it was for names another', async () => {
    const { id: holder } = await createCustomer(client);
    const document = await uploadDocument(client, holder);
    const content = await newContent(before);
    await before.claim(content, idOf('Document', uuidOf(document.id)));
    expect(await contents.sweep()).toBe(1);
    expect(await stored(content)).toBe(false);
  });

  it('is kept when the document names it', async () => {
    const { contentId, former } = await replacedOnly();
    expect(await contents.sweep()).toBe(0);
    await contents.discard(contentId);
    expect(await stored(contentId)).toBe(true);
    await eventually(
      () => stored(former),
      (is) => !is,
    );
  });
});

describe('a deletion that was cut short', () => {
  it('is finished, so that the content is gone', async () => {
    const { document, contentId } = await replacedOnly();
    const { platformId } = await bare
      .load('document', uuidOf(document.id))
      .then((found) => (found.status === 'kept' ? found.details : { platformId: '' }));
    await bare.run('document', uuidOf(document.id), { type: 'DeleteDocument', at }, { platformId, ...cause });
    await eventually(
      () => stored(contentId),
      (is) => !is,
    );
  });
});

describe('a store that fails', () => {
  it('fails an upload without a trace', async () => {
    const { id: holder } = await createCustomer(client);
    await query(
      service.databaseUrl,
      'alter table daybook.document_chunks add constraint full_up check (n < 1)',
    );
    const { form } = client;
    const big = formOf(fieldsOf(holder), { bytes: fileOf('image/png', 1_000_000) });
    expect((await form('POST', '/documents', big)).status).toBe(500);
    await query(service.databaseUrl, 'alter table daybook.document_chunks drop constraint full_up');
    const small = formOf(fieldsOf(holder), { bytes: fileOf('image/png', 1_000) });
    expect((await form('POST', '/documents', small)).status).toBe(201);
    const loose = await query(
      service.databaseUrl,
      'select 1 from daybook.document_contents where document_id is null',
    );
    expect(loose).toEqual([]);
  });
});
