import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic, type Client, type Json } from '../support/client.ts';
import { countByStatus, together } from '../support/concurrency.ts';
import { query } from '../support/database.ts';
import {
  bodyOf,
  type FileType,
  fieldsOf,
  fileOf,
  filePart,
  formOf,
  part,
  postBody,
  uploadDocument,
} from '../support/documents.ts';
import { createBusiness, createCustomer, eventually, expectStatus } from '../support/flows.ts';
import { idsIn } from '../support/lists.ts';
import { startBeside } from '../support/platforms.ts';
import { expectProblem, namedFields } from '../support/problems.ts';
import { clientWith, startTestService, type TestService } from '../support/service.ts';
import { createOwner, verify } from '../support/verification.ts';

const bytesMax = 10 * 1024 * 1024;
let service: TestService;
let client: Client;
let holder: string;
beforeAll(async () => {
  service = await startTestService();
  ({ client } = service);
  holder = (await createBusiness(client)).id;
});
afterAll(() => service.stop());

const post = (form: FormData) => client.form('POST', '/documents', form);

/** The stored contents, each put together from its pieces. */
const contents = async (): Promise<{ id: string; document_id: string; sha256: string; pieces: number }[]> =>
  query(
    service.databaseUrl,
    `select c.id, c.document_id, count(k.n)::int as pieces,
       encode(sha256(string_agg(k.bytes, ''::bytea order by k.n)), 'hex') as sha256
     from daybook.document_contents c left join daybook.document_chunks k on k.content_id = c.id group by c.id`,
  );
const contentOf = async ({ id }: Json) => (await contents()).find((content) => content.document_id === id);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Runs `work`, which has to leave the table of contents as it found it. */
async function leavingNothing(work: () => Promise<unknown>): Promise<void> {
  const before = (await contents()).length;
  await work();
  expect((await contents()).length).toBe(before);
  const [chunks] = await query<{ n: number }>(
    service.databaseUrl,
    'select count(*)::int as n from daybook.document_chunks where content_id not in (select id from daybook.document_contents)',
  );
  expect(chunks?.n).toBe(0);
}

describe('uploading a document', () => {
  it.each<[FileType, string]>([
    ['application/pdf', 'charter.pdf'],
    ['image/jpeg', 'passport.jpg'],
    ['image/png', 'Paß port ½.png'],
  ])('keeps a %s called %s, and what it is', async (type, name) => {
    const fields = fieldsOf(holder, { documentNumber: 'X1', issuingAuthority: 'HM Passport Office' });
    const bytes = fileOf(type, 5_000);
    const uploaded = expectStatus(await post(formOf(fields, { bytes, type, name })), 201);
    expect(uploaded).toMatchObject({ ...fields, fileName: name });
    expect(uploaded.id).toMatch(/^Document:[0-9a-f-]{36}$/);
    expect(expectStatus(await client.get(`/documents/${uploaded.id}`), 200)).toEqual(uploaded);
    expect(await contentOf(uploaded)).toMatchObject({ sha256: sha256(bytes) });
  });

  it('takes 10 MiB, in pieces', async () => {
    const bytes = fileOf('application/pdf', bytesMax);
    const form = formOf(fieldsOf(holder), { bytes, type: 'application/pdf', name: 'big.pdf' });
    const content = await contentOf(expectStatus(await post(form), 201));
    expect(content).toMatchObject({ sha256: sha256(bytes) });
    expect(content?.pieces).toBeGreaterThan(10);
  });

  it('keeps the base of a file name', async () => {
    for (const name of ['../../etc/passwd.pdf', 'C:\\\\temp\\\\passwd.pdf']) {
      const fields = Object.entries(fieldsOf(holder)).map(([key, value]) => part(key, String(value)));
      const answer = await postBody(service, bodyOf([...fields, filePart('%PDF-1', name)]));
      expect(expectStatus(answer, 201).fileName).toBe('passwd.pdf');
    }
  });

  it('goes by the first bytes where the part says nothing of its type', async () => {
    const form = formOf(fieldsOf(holder), { type: 'application/octet-stream' });
    expectStatus(await post(form), 201);
  });

  it('takes the fields after the file as well', async () => {
    const fields = Object.entries(fieldsOf(holder)).map(([key, value]) => part(key, String(value)));
    expectStatus(await postBody(service, bodyOf([filePart('%PDF-1'), ...fields])), 201);
  });

  it('is for owners too', async () => {
    const owner = await createOwner(client, holder);
    const document = await uploadDocument(client, owner.id);
    expect(document.documentHolder).toBe(owner.id);
    expect(await idsIn(client, '/documents', { documentHolder: owner.id })).toEqual([document.id]);
  });
});

describe('a file that is refused leaves nothing behind:', () => {
  const text = Buffer.from('just text');
  const pdf = 'application/pdf';
  it.each<[string, Parameters<typeof formOf>[1], string[]]>([
    ['none', null, ['file']],
    ['an empty one', { bytes: Buffer.alloc(0) }, ['file']],
    ['neither PDF nor JPEG nor PNG', { bytes: text }, ['file']],
    [
      'one with a type later on',
      { bytes: Buffer.concat([Buffer.alloc(300_000), fileOf(pdf)]), type: pdf },
      ['file'],
    ],
    ['one called what it is not', { bytes: fileOf(pdf), type: 'image/png' }, ['file']],
    ['one byte too much', { bytes: fileOf(pdf, bytesMax + 1), type: pdf }, ['file']],
    ['far too much', { bytes: fileOf(pdf, 2 * bytesMax), type: pdf }, ['file']],
    ['too long a name', { name: `${'x'.repeat(252)}.png` }, ['file']],
  ])('%s', async (_what, file, fields) => {
    await leavingNothing(async () => {
      const problem = expectProblem(await post(formOf(fieldsOf(holder), file)), 400, 'INVALID_INPUT');
      expect(namedFields(problem)).toEqual(fields);
    });
  });

  it.each<[string, object, string[]]>([
    [
      'wrong fields',
      { documentType: 'POEM', country: 'XX', side: 'TOP' },
      ['country', 'documentType', 'side'],
    ],
    ['a bad holder', { documentHolder: 'ada' }, ['documentHolder']],
    ['too long a field', { documentNumber: 'x'.repeat(256) }, ['documentNumber']],
    ['far too long a field', { documentNumber: 'x'.repeat(100_000) }, ['documentNumber']],
    ['a NUL', { documentNumber: 'a\u0000b' }, ['documentNumber']],
  ])('with %s', async (_what, overrides, fields) => {
    await leavingNothing(async () => {
      const problem = expectProblem(await post(formOf(fieldsOf(holder, overrides))), 400, 'INVALID_INPUT');
      expect(namedFields(problem)).toEqual(fields);
    });
  });

  it('with every wrong field named at once', async () => {
    const problem = expectProblem(await post(formOf({}, { bytes: text })), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(['country', 'documentHolder', 'documentType', 'file']);
  });

  it('with anything given twice', async () => {
    await leavingNothing(async () => {
      const form = formOf(fieldsOf(holder));
      form.append('country', 'FR');
      form.append('file', new Blob([fileOf('image/png')], { type: 'image/png' }), 'second.png');
      expect(namedFields(expectProblem(await post(form), 400, 'INVALID_INPUT'))).toEqual(['country', 'file']);
    });
  });

  it('in another field, or as text', async () => {
    const fields = Object.entries(fieldsOf(holder)).map(([key, value]) => part(key, String(value)));
    await leavingNothing(async () => {
      const elsewhere = await postBody(service, bodyOf([...fields, filePart('%PDF-1', 'a.pdf', 'other')]));
      expect(namedFields(expectProblem(elsewhere, 400, 'INVALID_INPUT'))).toEqual(['file', 'other']);
      const asText = await postBody(service, bodyOf([...fields, part('file', '%PDF-1')]));
      expect(namedFields(expectProblem(asText, 400, 'INVALID_INPUT'))).toEqual(['file']);
    });
  });

  it('with too many fields', async () => {
    await leavingNothing(async () => {
      const form = formOf(fieldsOf(holder));
      for (let n = 0; n < 50; n++) form.append(`field${n}`, 'x');
      expectProblem(await post(form), 400, 'INVALID_INPUT');
    });
  });

  it.each([
    ['in the middle of the file', (whole: string) => whole.slice(0, whole.indexOf('%PDF-') + 300_000)],
    ['before the last boundary', (whole: string) => whole.slice(0, -20)],
    ['in a header', (whole: string) => whole.slice(0, whole.indexOf('filename'))],
    ['before anything', () => ''],
  ])('when the body ends %s', async (_where, cut) => {
    const fields = Object.entries(fieldsOf(holder)).map(([key, value]) => part(key, String(value)));
    const whole = bodyOf([...fields, filePart(`%PDF-${'x'.repeat(600_000)}`)]);
    await leavingNothing(async () => {
      expectProblem(await postBody(service, cut(whole)), 400, 'INVALID_REQUEST_FORMAT');
    });
  });

  it.each(['application/json', 'text/plain', 'multipart/form-data', 'multipart/mixed; boundary=x', ''])(
    'sent as %j',
    async (type) => {
      await leavingNothing(async () => {
        expectProblem(
          await postBody(service, bodyOf([filePart('%PDF-1')]), type),
          400,
          'INVALID_REQUEST_FORMAT',
        );
      });
    },
  );

  it('for a holder who is not there, is gone, or is not ours', async () => {
    const gone = await createCustomer(client);
    expectStatus(await client.delete(`/customers/${gone.id}`), 200);
    const other = await startBeside(service);
    const theirs = await createCustomer(other.client);
    await leavingNothing(async () => {
      const nobody = '019a0000-0000-7000-8000-000000000000';
      for (const id of [`Customer:${nobody}`, `BeneficialOwner:${nobody}`, theirs.id])
        expectProblem(await post(formOf(fieldsOf(id))), 404, 'REFERENCE_NOT_FOUND');
      expectProblem(await post(formOf(fieldsOf(gone.id))), 410, 'CUSTOMER_DELETED');
    });
    await other.stop();
  });

  it('without the permission', async () => {
    const limited = await clientWith(service, ['VIEW', 'TRANSACT']);
    const { id } = await uploadDocument(client, holder);
    await leavingNothing(async () => {
      const form = () => formOf(fieldsOf(holder));
      expectProblem(await limited.form('POST', '/documents', form()), 403, 'FORBIDDEN');
      expectProblem(await limited.form('PUT', `/documents/${id}`, form()), 403, 'FORBIDDEN');
      expectProblem(await limited.delete(`/documents/${id}`), 403, 'FORBIDDEN');
    });
  });

  it('when the sender goes away', async () => {
    const before = (await contents()).length;
    const { port, hostname, pathname } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    const start = bodyOf([filePart(`%PDF-${'x'.repeat(600_000)}`)], '');
    const head = `POST ${pathname}/documents HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(service.credentials)}\r\n`;
    const type = 'Content-Type: multipart/form-data; boundary=x-boundary-x\r\n';
    socket.write(`${head}${type}Content-Length: 9000000\r\n\r\n${start}`);
    await eventually(
      async () => (await contents()).length,
      (n) => n > before,
    );
    socket.destroy();
    await eventually(
      async () => (await contents()).length,
      (n) => n === before,
    );
  });
});

describe('replacing a document', () => {
  const put = ({ id }: Json, form: FormData) => client.form('PUT', `/documents/${id}`, form);

  it('replaces everything but the holder, and the content', async () => {
    const document = await uploadDocument(client, holder, { documentNumber: 'X1' });
    const bytes = fileOf('application/pdf', 700_000);
    const fields = { documentType: 'OTHER', country: 'FR', documentHolder: 'ignored' };
    const form = formOf(fields, { bytes, type: 'application/pdf', name: 'other.pdf' });
    await leavingNothing(async () => {
      const { updatedAt, ...replaced } = expectStatus(await put(document, form), 200);
      const { id, documentHolder, createdAt } = document;
      const rest = { documentType: 'OTHER', country: 'FR', fileName: 'other.pdf' };
      expect(replaced).toEqual({ id, documentHolder, createdAt, ...rest });
      expect(expectStatus(await client.get(`/documents/${id}`), 200)).toEqual({ ...replaced, updatedAt });
    });
    expect(await contentOf(document)).toMatchObject({ sha256: sha256(bytes) });
  });

  it('changes nothing where it is refused', async () => {
    const document = await uploadDocument(client, holder);
    const before = await contentOf(document);
    const form = formOf(fieldsOf(holder), { bytes: fileOf('image/jpeg'), type: 'image/png' });
    expectProblem(await put(document, form), 400, 'INVALID_INPUT');
    expect(await contentOf(document)).toEqual(before);
    expect((await client.get(`/documents/${document.id}`)).body).toEqual(document);
  });

  it('at once leaves one content, which is the one of the record', async () => {
    const document = await uploadDocument(client, holder);
    await leavingNothing(async () => {
      const answers = await together(6, (n) =>
        put(document, formOf(fieldsOf(holder), { bytes: fileOf('image/png', 2_000 + n), name: `${n}.png` })),
      );
      expect(countByStatus(answers)).toEqual({ 200: 6 });
    });
    const { fileName } = (await client.get(`/documents/${document.id}`)).body;
    const expected = sha256(fileOf('image/png', 2_000 + Number(fileName[0])));
    expect(await contentOf(document)).toMatchObject({ sha256: expected });
  });

  it('finds no document that is not there', async () => {
    const nobody = { id: 'Document:019a0000-0000-7000-8000-000000000000' };
    await leavingNothing(async () => {
      expectProblem(await put(nobody, formOf(fieldsOf(holder))), 404, 'REFERENCE_NOT_FOUND');
    });
  });
});

describe('deleting a document', () => {
  it('removes it with its content, once', async () => {
    const document = await uploadDocument(client, holder);
    expect((await client.delete(`/documents/${document.id}`)).status).toBe(204);
    expect(await contentOf(document)).toBeUndefined();
    expectProblem(await client.get(`/documents/${document.id}`), 404, 'REFERENCE_NOT_FOUND');
    expectProblem(await client.delete(`/documents/${document.id}`), 404, 'REFERENCE_NOT_FOUND');
    expect(await idsIn(client, '/documents', { documentHolder: holder })).not.toContain(document.id);
  });

  it('is refused once it was submitted, of the owners too', async () => {
    const business = await createBusiness(client);
    const owner = await createOwner(client, business.id);
    const documents = [await uploadDocument(client, business.id), await uploadDocument(client, owner.id)];
    expectStatus(await verify(client, business.id), 200);
    for (const { id } of documents) expectProblem(await client.delete(`/documents/${id}`), 409, 'CONFLICT');
    const form = formOf(fieldsOf(business.id, { country: 'FR' }));
    expectStatus(await client.form('PUT', `/documents/${documents[0]?.id}`, form), 200);
    expectProblem(await client.delete(`/documents/${documents[0]?.id}`), 409, 'CONFLICT');
  });
});
