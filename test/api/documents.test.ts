import { beforeAll, describe, expect, it } from 'vitest';
import { inboxUrl } from '../../src/sandbox/inbox.ts';
import type { Json } from '../support/http/client.ts';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { idsIn } from '../support/http/lists.ts';
import { expectProblem } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { contentOf, leavingNothing, sha256 } from '../support/resources/document-contents.ts';
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
} from '../support/resources/documents.ts';
import { createBusiness, expectStatus } from '../support/resources/flows.ts';
import { createOwner, verify } from '../support/resources/verification.ts';
import { idOfNobody } from '../support/values/ids.ts';

const bytesMax = 10 * 1024 * 1024;
const service = serviceOfTests();
const { client } = service;
let holder: string;
beforeAll(async () => {
  holder = (await createBusiness(client)).id;
});

const post = (form: FormData) => client.form('POST', '/documents', form);

describe('uploading a document', () => {
  it.each<[FileType, string]>([
    ['application/pdf', 'charter.pdf'],
    ['image/jpeg', 'passport.jpg'],
    ['image/png', 'Paß port ½.png'],
  ])('keeps a %s called %s', async (type, name) => {
    const fields = fieldsOf(holder, { documentNumber: 'X1', issuingAuthority: 'HM Passport Office' });
    const bytes = fileOf(type, 5_000);
    const uploaded = expectStatus(await post(formOf(fields, { bytes, type, name })), 201);
    expect(uploaded).toMatchObject({ ...fields, fileName: name });
    expect(uploaded.id).toMatch(/^Document:[0-9a-f-]{36}$/);
    expect(expectStatus(await client.get(`/documents/${uploaded.id}`), 200)).toEqual(uploaded);
    expect(await contentOf(service, uploaded)).toMatchObject({ sha256: sha256(bytes) });
  });

  it('takes 10 MiB and stores them in pieces', async () => {
    const bytes = fileOf('application/pdf', bytesMax);
    const form = formOf(fieldsOf(holder), { bytes, type: 'application/pdf', name: 'big.pdf' });
    const content = await contentOf(service, expectStatus(await post(form), 201));
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

  it('is possible for an owner too', async () => {
    const owner = await createOwner(client, holder);
    const document = await uploadDocument(client, owner.id);
    expect(document.documentHolder).toBe(owner.id);
    expect(await idsIn(client, '/documents', { documentHolder: owner.id })).toEqual([document.id]);
  });
});

describe('replacing a document', () => {
  const put = ({ id }: Json, form: FormData) => client.form('PUT', `/documents/${id}`, form);

  it('replaces the content, and every field but the holder', async () => {
    const document = await uploadDocument(client, holder, { documentNumber: 'X1' });
    const bytes = fileOf('application/pdf', 700_000);
    const fields = { documentType: 'OTHER', country: 'FR', documentHolder: 'ignored' };
    const form = formOf(fields, { bytes, type: 'application/pdf', name: 'other.pdf' });
    await leavingNothing(service, async () => {
      const { updatedAt, ...replaced } = expectStatus(await put(document, form), 200);
      const { id, documentHolder, createdAt } = document;
      const rest = { documentType: 'OTHER', country: 'FR', fileName: 'other.pdf' };
      expect(replaced).toEqual({ id, documentHolder, createdAt, ...rest });
      expect(expectStatus(await client.get(`/documents/${id}`), 200)).toEqual({ ...replaced, updatedAt });
    });
    expect(await contentOf(service, document)).toMatchObject({ sha256: sha256(bytes) });
  });

  it('changes nothing where it is refused', async () => {
    const document = await uploadDocument(client, holder);
    const before = await contentOf(service, document);
    const form = formOf(fieldsOf(holder), { bytes: fileOf('image/jpeg'), type: 'image/png' });
    expectProblem(await put(document, form), 400, 'INVALID_INPUT');
    expect(await contentOf(service, document)).toEqual(before);
    expect((await client.get(`/documents/${document.id}`)).body).toEqual(document);
  });

  it('leaves the content of its record when several come at once', async () => {
    const document = await uploadDocument(client, holder);
    await leavingNothing(service, async () => {
      const answers = await together(6, (n) =>
        put(document, formOf(fieldsOf(holder), { bytes: fileOf('image/png', 2_000 + n), name: `${n}.png` })),
      );
      expect(countByStatus(answers)).toEqual({ 200: 6 });
    });
    const { fileName } = (await client.get(`/documents/${document.id}`)).body;
    const expected = sha256(fileOf('image/png', 2_000 + Number(fileName[0])));
    expect(await contentOf(service, document)).toMatchObject({ sha256: expected });
  });

  it('finds no document that is not there', async () => {
    const nobody = { id: idOfNobody('Document') };
    await leavingNothing(service, async () => {
      expectProblem(await put(nobody, formOf(fieldsOf(holder))), 404, 'REFERENCE_NOT_FOUND');
    });
  });
});

describe('deleting a document', () => {
  it('removes it with its content', async () => {
    const document = await uploadDocument(client, holder);
    expect((await client.delete(`/documents/${document.id}`)).status).toBe(204);
    expect(await contentOf(service, document)).toBeUndefined();
    expectProblem(await client.get(`/documents/${document.id}`), 404, 'REFERENCE_NOT_FOUND');
    expectProblem(await client.delete(`/documents/${document.id}`), 404, 'REFERENCE_NOT_FOUND');
    expect(await idsIn(client, '/documents', { documentHolder: holder })).not.toContain(document.id);
  });

  it.each([1, 0])(
    'is refused once a repeated verification has taken it, after one with %i',
    async (before) => {
      expectStatus(await client.patch('/config', { webhookEndpoint: inboxUrl }), 200);
      const businessInfo = { legalName: 'Analytical Engines Ltd', registrationNumber: '5523001' };
      const business = await createBusiness(client, { businessInfo });
      for (let n = 0; n < before; n++) await uploadDocument(client, business.id);
      const verification = expectStatus(await verify(client, business.id), 200);
      const { id } = await uploadDocument(client, business.id);
      expect(expectStatus(await verify(client, business.id), 200)).toEqual(verification);
      const form = formOf(fieldsOf(business.id, { country: 'FR' }));
      expectProblem(await client.form('PUT', `/documents/${id}`, form), 409, 'CONFLICT');
      expectProblem(await client.delete(`/documents/${id}`), 409, 'CONFLICT');
      const asked = { objectId: verification.id, waitSeconds: '0' };
      const { data } = expectStatus(await client.get('/sandbox/webhooks', asked), 200);
      expect(data.map(({ type }: Json) => type)).toEqual(['VERIFICATION.PENDING_MANUAL_REVIEW']);
      expectStatus(await client.patch('/config', { webhookEndpoint: null }), 200);
    },
  );

  it('is refused once it was submitted, as replacing is, with those of the owners', async () => {
    const business = await createBusiness(client);
    const owner = await createOwner(client, business.id);
    const documents = [await uploadDocument(client, business.id), await uploadDocument(client, owner.id)];
    expectStatus(await verify(client, business.id), 200);
    for (const { id } of documents) expectProblem(await client.delete(`/documents/${id}`), 409, 'CONFLICT');
    const form = formOf(fieldsOf(business.id, { country: 'FR' }));
    const [first] = documents;
    const before = first && (await contentOf(service, first));
    await leavingNothing(service, async () => {
      expectProblem(await client.form('PUT', `/documents/${first?.id}`, form), 409, 'CONFLICT');
    });
    expect(first && (await contentOf(service, first))).toEqual(before);
  });
});
