/** Every operation is tried out as the page of the documentation does it: with what is served, and nothing else. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basePath } from '../../src/app/interface/address.ts';
import { exampleIds } from '../../src/app/interface/example-ids.ts';
import { fillIn } from '../../src/app/interface/fill-in.js';
import { basic, type Json } from '../support/http/client.ts';
import { misfitOfWebhook } from '../support/interface/against-document.ts';
import {
  type DocumentedOperation,
  documented,
  openApiDocument,
  titled,
} from '../support/interface/interface.ts';
import { serviceOfTests, type TestService } from '../support/processes/service.ts';
import { employed } from '../support/resources/agents.ts';
import { createCustomer, expectStatus } from '../support/resources/flows.ts';
import { type Receiver, startReceiver } from '../support/servers/receiver.ts';

/** As somebody who has signed in on the page and presses "Execute" sends them, one after the other. */
async function pageOf({ url, credentials }: Pick<TestService, 'url' | 'credentials'>) {
  const origin = new URL(url).origin;
  const examples = (await (await fetch(`${origin}/docs/examples.json`)).json()) as Json;
  const complete = fillIn({ ...examples, base: url, platform: () => basic(credentials) });
  const { paths } = (await (await fetch(`${origin}/openapi.json`)).json()) as Json;
  return async ({ operationId, method, path, schemes }: DocumentedOperation, authorization?: string) => {
    const operation = paths[basePath + path][method.toLowerCase()];
    const own = authorization ?? (schemes.includes('basic') ? basic(credentials) : undefined);
    const headers: Record<string, string> = own ? { Authorization: own } : {};
    const request = {
      url: addressOf(url + path, operation.parameters ?? []),
      headers,
      body: undefined as unknown,
    };
    const [type, content] = Object.entries<Json>(operation.requestBody?.content ?? {})[0] ?? [];
    if (type === 'application/json') {
      headers['content-type'] = type;
      request.body = JSON.stringify(content.example);
    } else if (type) request.body = formOf(content.example);
    const sent = await complete(request);
    const response = await fetch(sent.url, { method, headers: sent.headers, body: sent.body as FormData });
    const text = await textOf(response);
    return { operationId, status: response.status, headers: response.headers, text };
  };
}

/** A stream that goes on has said enough when it begins. */
async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  await response.body?.cancel();
  return '';
}

/** Swagger UI fills in whatever has an example. */
function addressOf(path: string, parameters: Json[]): string {
  const shown = parameters.filter(({ example }) => example !== undefined);
  const filled = shown
    .filter(({ in: where }) => where === 'path')
    .reduce((url, { name, example }) => url.replace(`{${name}}`, encodeURIComponent(example)), path);
  const query = shown
    .filter(({ in: where }) => where === 'query')
    .map(({ name, example }): [string, string] => [name, `${example}`]);
  return query.length > 0 ? `${filled}?${new URLSearchParams(query)}` : filled;
}

/** With the file that somebody has to choose. */
function formOf({ file, ...fields }: Json): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries<string>(fields)) form.append(name, value);
  form.append('file', new Blob([Buffer.from('%PDF-1.7\n')], { type: 'application/pdf' }), file);
  return form;
}

/** What the description of an operation says that it needs, where its example is refused on a new platform. */
const needs = {
  webhookEndpoint: [
    'approveTransaction',
    'rejectTransaction',
    'sendTestWebhook',
    'getWebhookEvent',
    'redeliverWebhookEvent',
    'redeliverWebhookEvents',
  ],
  // Of a wallet's one credential: a second one takes the signature of a session, which no page has the key of.
  credential: ['deleteAuthCredential'],
  credentials: ['createConsoleSession'],
  console: ['getConsoleSession'],
  // The page does not choose it; the tests do.
  file: ['uploadDocument', 'replaceDocument'],
};
/** The keys hold for a day. */
const onceADay = ['rotateWebhookKeys'];
const succeeded = expect.toBeOneOf([200, 201, 202, 204]);

describe('on a platform with a webhook endpoint, the example of the page', () => {
  const service = serviceOfTests();
  let receiver: Receiver;
  let send: Awaited<ReturnType<typeof pageOf>>;
  beforeAll(async () => {
    receiver = await startReceiver();
    receiver.answer(202);
    expectStatus(await service.client.patch('/config', { webhookEndpoint: receiver.url }), 200);
    send = await pageOf(service);
  });
  afterAll(() => receiver.close());

  const lacking = [...needs.credential, ...needs.credentials, ...needs.console];
  const sent = documented.filter(({ operationId }) => !lacking.includes(operationId));
  it.each(titled(sent))('for %s succeeds as it stands, and again', async (_id, operation) => {
    for (const times of onceADay.includes(operation.operationId) ? [1] : [1, 2]) {
      const { status, text, headers } = await send(operation);
      expect([times, status, status < 300 ? '' : text]).toEqual([times, succeeded, '']);
      expect(headers.get('warning')).toBeNull();
    }
  });

  it('for an agent is its own where somebody has signed in as one', async () => {
    const customer = await createCustomer(service.client, { currencies: ['USD', 'EUR'] });
    const { accessToken, agent } = await employed(service.client, customer.id);
    const asAgent = documented.filter(({ schemes }) => schemes.includes('bearer'));
    const refused = [];
    for (const operation of asAgent) {
      const answer = await send(operation, `Bearer ${accessToken}`);
      if (answer.status >= 300) refused.push(answer);
      if (answer.operationId === 'getAgentMe') expect(JSON.parse(answer.text).id).toBe(agent.id);
    }
    expect(refused).toEqual([]);
  });

  it('has told the endpoint what the document says', () => {
    const told = receiver.received.map(({ raw }) => JSON.parse(`${raw}`));
    expect(new Set(told.map(({ type }) => type)).size).toBeGreaterThan(10);
    const wrong = told.map((body) => [body.type, misfitOfWebhook(body)]).filter(([, misfit]) => misfit);
    expect(wrong).toEqual([]);
  });
});

describe('on a new platform, the example of the page', () => {
  const service = serviceOfTests();

  it('succeeds as it stands but for what the descriptions tell', async () => {
    const send = await pageOf(service);
    const refused = [];
    for (const operation of documented)
      if ((await send(operation)).status >= 300) refused.push(operation.operationId);
    expect(refused.toSorted()).toEqual(
      [...needs.webhookEndpoint, ...needs.credential, ...needs.credentials, ...needs.console].toSorted(),
    );
  });

  const told = Object.entries(needs).flatMap(([need, ids]) => ids.map((id) => [id, need] as const));
  it.each(told)('%s says what it needs: %s', (operationId, need) => {
    const all = Object.values<Json>(openApiDocument.paths).flatMap((item) => Object.values<Json>(item));
    expect(all.find((one) => one.operationId === operationId).description).toContain(need);
  });
});

describe('where there is no sandbox', () => {
  const service = serviceOfTests({ variables: { DAYBOOK_ENVIRONMENT: 'production', DAYBOOK_RAIL: '' } });

  it('nothing is made, and the request goes as it stands', async () => {
    const { url, credentials, client } = service;
    const examples = (await (await fetch(`${new URL(url).origin}/docs/examples.json`)).json()) as Json;
    const complete = fillIn({ ...examples, base: url, platform: () => undefined });
    const request = {
      url: `${url}/customers/${exampleIds.customerId}`,
      headers: { Authorization: basic(credentials) },
    };
    expect(await complete(structuredClone(request))).toEqual(request);
    expect(expectStatus(await client.get('/customers'), 200).data).toEqual([]);
  });
});

describe('the examples', () => {
  const idsIn = (text: string) => Object.values<string>(exampleIds).filter((id) => text.includes(id));
  it('name nothing that the page does not know, and it knows nothing that they do not name', async () => {
    const { exampleSources } = await import('../../src/app/interface/example-sources.ts');
    const named = new Set(idsIn(JSON.stringify([openApiDocument.paths, Object.values(exampleSources)])));
    named.add(exampleIds.agentToken);
    expect(Object.values(exampleIds).filter((id) => !named.has(id))).toEqual([]);
    expect(Object.keys(exampleSources).toSorted()).toEqual(Object.values(exampleIds).toSorted());
  });

  it('are there for every parameter that is needed', () => {
    const lacking = Object.values<Json>(openApiDocument.paths)
      .flatMap((item) => Object.values<Json>(item))
      .flatMap(({ operationId, parameters = [] }) =>
        parameters
          .filter((one: Json) => (one.required || one.in === 'path') && one.example === undefined)
          .map(({ name }: Json) => `${operationId} ${name}`),
      );
    expect(lacking).toEqual([]);
  });
});
