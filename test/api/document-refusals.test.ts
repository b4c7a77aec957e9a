import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { basic } from '../support/http/client.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { clientWith, serviceOfTests } from '../support/processes/service.ts';
import { contents, leavingNothing } from '../support/resources/document-contents.ts';
import {
  bodyOf,
  fieldsOf,
  fileOf,
  filePart,
  formOf,
  part,
  postBody,
  uploadDocument,
} from '../support/resources/documents.ts';
import { createBusiness, createCustomer, eventually, expectStatus } from '../support/resources/flows.ts';
import { startBeside } from '../support/resources/platforms.ts';
import { idOfNobody } from '../support/values/ids.ts';

const bytesMax = 10 * 1024 * 1024;
const service = serviceOfTests();
const { client } = service;
let holder: string;
beforeAll(async () => {
  holder = (await createBusiness(client)).id;
});

const post = (form: FormData) => client.form('POST', '/documents', form);

describe('an upload that is refused, with nothing left behind', () => {
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
  ])('has a file that is %s', async (_what, file, fields) => {
    await leavingNothing(service, async () => {
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
  ])('has fields with %s', async (_what, overrides, fields) => {
    await leavingNothing(service, async () => {
      const problem = expectProblem(await post(formOf(fieldsOf(holder, overrides))), 400, 'INVALID_INPUT');
      expect(namedFields(problem)).toEqual(fields);
    });
  });

  it('is told every wrong field at once', async () => {
    const problem = expectProblem(await post(formOf({}, { bytes: text })), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(['country', 'documentHolder', 'documentType', 'file']);
  });

  it('has something twice', async () => {
    await leavingNothing(service, async () => {
      const form = formOf(fieldsOf(holder));
      form.append('country', 'FR');
      form.append('file', new Blob([fileOf('image/png')], { type: 'image/png' }), 'second.png');
      expect(namedFields(expectProblem(await post(form), 400, 'INVALID_INPUT'))).toEqual(['country', 'file']);
    });
  });

  it('has the file in another field, or as text', async () => {
    const fields = Object.entries(fieldsOf(holder)).map(([key, value]) => part(key, String(value)));
    await leavingNothing(service, async () => {
      const elsewhere = await postBody(service, bodyOf([...fields, filePart('%PDF-1', 'a.pdf', 'other')]));
      expect(namedFields(expectProblem(elsewhere, 400, 'INVALID_INPUT'))).toEqual(['file', 'other']);
      const asText = await postBody(service, bodyOf([...fields, part('file', '%PDF-1')]));
      expect(namedFields(expectProblem(asText, 400, 'INVALID_INPUT'))).toEqual(['file']);
    });
  });

  it('has too many fields', async () => {
    await leavingNothing(service, async () => {
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
  ])('has a body that ends %s', async (_where, cut) => {
    const fields = Object.entries(fieldsOf(holder)).map(([key, value]) => part(key, String(value)));
    const whole = bodyOf([...fields, filePart(`%PDF-${'x'.repeat(600_000)}`)]);
    await leavingNothing(service, async () => {
      expectProblem(await postBody(service, cut(whole)), 400, 'INVALID_REQUEST_FORMAT');
    });
  });

  it.each(['application/json', 'text/plain', 'multipart/form-data', 'multipart/mixed; boundary=x', ''])(
    'is sent as %j',
    async (type) => {
      await leavingNothing(service, async () => {
        expectProblem(
          await postBody(service, bodyOf([filePart('%PDF-1')]), type),
          400,
          'INVALID_REQUEST_FORMAT',
        );
      });
    },
  );

  it('names a holder who is not there, is gone, or is not ours', async () => {
    const gone = await createCustomer(client);
    expectStatus(await client.delete(`/customers/${gone.id}`), 200);
    const other = await startBeside(service);
    const theirs = await createCustomer(other.client);
    await leavingNothing(service, async () => {
      for (const id of [idOfNobody('Customer'), idOfNobody('BeneficialOwner'), theirs.id])
        expectProblem(await post(formOf(fieldsOf(id))), 404, 'REFERENCE_NOT_FOUND');
      expectProblem(await post(formOf(fieldsOf(gone.id))), 410, 'CUSTOMER_DELETED');
    });
    await other.stop();
  });

  it('lacks the permission', async () => {
    const limited = await clientWith(service, ['VIEW', 'TRANSACT']);
    const { id } = await uploadDocument(client, holder);
    await leavingNothing(service, async () => {
      const form = () => formOf(fieldsOf(holder));
      expectProblem(await limited.form('POST', '/documents', form()), 403, 'FORBIDDEN');
      expectProblem(await limited.form('PUT', `/documents/${id}`, form()), 403, 'FORBIDDEN');
      expectProblem(await limited.delete(`/documents/${id}`), 403, 'FORBIDDEN');
    });
  });

  it('is given up by its sender', async () => {
    const before = (await contents(service)).length;
    const { port, hostname, pathname } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    const start = bodyOf([filePart(`%PDF-${'x'.repeat(600_000)}`)], '');
    const head = `POST ${pathname}/documents HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(service.credentials)}\r\n`;
    const type = 'Content-Type: multipart/form-data; boundary=x-boundary-x\r\n';
    socket.write(`${head}${type}Content-Length: 9000000\r\n\r\n${start}`);
    await eventually(
      async () => (await contents(service)).length,
      (n) => n > before,
    );
    socket.destroy();
    await eventually(
      async () => (await contents(service)).length,
      (n) => n === before,
    );
  });
});
