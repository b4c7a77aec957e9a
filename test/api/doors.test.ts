import { describe, expect, it } from 'vitest';
import { basic } from '../support/http/client.ts';
import { chunkOf, type Ending, headOf, openSocket } from '../support/http/raw-socket.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { createCustomer, expectStatus } from '../support/resources/flows.ts';
import { issueToken } from '../support/resources/tokens.ts';

const mebibyte = 1024 * 1024;
/** What lies in the buffers of two sockets, and a body's bound, are a small part of this. */
const takenMax = 24 * mebibyte;
const endless = 99_000_000_000;

const service = serviceOfTests();
const { client } = service;

type Headers = Readonly<Record<string, string | number>>;
const mine = (): Headers => ({
  authorization: basic(service.credentials),
  'content-type': 'application/json',
});

/** Sends a body without end, whatever is answered. */
async function flood(method: string, path: string, headers: Headers): Promise<Ending> {
  const socket = await openSocket(service.url);
  socket.say(headOf(method, service.url, path, headers));
  socket.pour('transfer-encoding' in headers ? chunkOf(65_536) : 'x'.repeat(65_536));
  return socket.ending();
}

const declared = { 'content-length': endless };
const chunked = { 'transfer-encoding': 'chunked' };
const form = { 'content-type': 'multipart/form-data; boundary=b' };

describe('a body that is declared to be larger than any that is taken', () => {
  it.each(['/customers', '/quotes', '/transfer-in'])('is refused before it is sent to %s', async (path) => {
    const socket = await openSocket(service.url);
    socket.say(headOf('POST', service.url, path, { ...mine(), ...declared }));
    const { status, text } = await socket.ending();
    expect(status).toBe(413);
    expect(text).toMatch(/^connection: close\r$/im);
    expect(text).toContain('"code":"INVALID_REQUEST_FORMAT"');
  });

  it('is refused before it is sent as a document', async () => {
    const socket = await openSocket(service.url);
    socket.say(headOf('POST', service.url, '/documents', { ...mine(), ...form, ...declared }));
    const { status, text } = await socket.ending();
    expect(status).toBe(400);
    expect(text).toContain('is far too large');
  });

  it('is not asked for by a 100 Continue', async () => {
    const socket = await openSocket(service.url);
    const headers = { ...mine(), ...declared, expect: '100-continue' };
    socket.say(headOf('POST', service.url, '/customers', headers));
    const { status } = await socket.ending();
    expect(status).toBe(413);
  });
});

type Attack = [what: string, method: string, path: string, headers: () => Headers, status: number];
const nobody = () => ({});
const attacks: Attack[] = [
  ['beyond the bound', 'POST', '/customers', () => ({ ...mine(), ...chunked }), 413],
  ['beyond what it declared', 'POST', '/customers', () => ({ ...mine(), ...declared }), 413],
  ['by nobody', 'POST', '/customers', () => ({ ...nobody(), ...declared }), 401],
  ['by nobody, in chunks', 'POST', '/customers', () => ({ ...nobody(), ...chunked }), 401],
  ['to nowhere', 'POST', '/nowhere', () => ({ ...mine(), ...declared }), 404],
  ['to nowhere, in chunks', 'POST', '/nowhere', () => ({ ...mine(), ...chunked }), 404],
  ['with a wrong method', 'PUT', '/customers', () => ({ ...mine(), ...declared }), 405],
  ['to an operation without one', 'GET', '/config', () => ({ ...mine(), ...declared }), 200],
  ['of a document by nobody', 'POST', '/documents', () => ({ ...nobody(), ...form, ...chunked }), 401],
  ['of a document', 'POST', '/documents', () => ({ ...mine(), ...form, ...declared }), 400],
];

describe('a body without end', () => {
  it.each(attacks)(
    '%s is answered, and not read on: %s %s',
    async (_what, method, path, headers, expected) => {
      const { status, taken, text } = await flood(method, path, headers());
      expect(status).toBe(expected);
      expect(text).toMatch(/^connection: close\r$/im);
      expect(taken).toBeLessThan(takenMax);
    },
  );

  it('of one who may not is answered, and not read on', async () => {
    const authorization = basic(await issueToken(client, ['VIEW']));
    const { status, taken } = await flood('POST', '/documents', { authorization, ...form, ...declared });
    expect(status).toBe(400);
    expect(taken).toBeLessThan(takenMax);
  });

  it('leaves the others alone', async () => {
    await flood('POST', '/customers', { ...mine(), ...chunked });
    expectStatus(await client.get('/config'), 200);
    await createCustomer(client);
  });
});

describe('a small body that is refused', () => {
  it('leaves the connection as it is', async () => {
    const socket = await openSocket(service.url);
    const request = headOf('POST', service.url, '/customers', { 'content-length': 2 });
    socket.say(`${request}{}`);
    await socket.untilSaid(/"UNAUTHORIZED"/);
    socket.say(headOf('GET', service.url, '/config', mine()));
    expect(await socket.untilSaid(/HTTP\/1\.1 200/)).not.toMatch(/^connection: close\r$/im);
    socket.close();
  });
});
