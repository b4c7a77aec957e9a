import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { idOf } from '../../../src/kernel/ids.ts';
import { signedCall } from '../../../src/workers/webhooks/envelope.ts';
import { uuidNumber } from '../../support/values/ids.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/how-to/verify-webhooks.md'), 'utf8');
const directory = mkdtempSync(join(tmpdir(), 'daybook-examples-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** The code of a language on the page that checks a signature. */
function example(language: string): string {
  const blocks = [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))];
  const code = blocks.map(([, text = '']) => text).find((text) => /verify/.test(text));
  if (!code) throw new Error(`the page has no example in ${language}`);
  return code;
}

const { publicKey: pair, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const publicKey = pair.export({ type: 'spki', format: 'pem' }).toString();
const secret = `whsec_${randomBytes(32).toString('base64')}`;
const at = new Date();
const key = { id: idOf('WebhookKey', uuidNumber(1)), createdAt: at, publicKey, privateKey, secret };
const message = { id: idOf('Webhook', uuidNumber(2)), type: 'TEST', body: '{"fullName":"Zoë"}' };
const { headers, body } = signedCall(message, { signing: key, next: { key, until: at } }, at);
const forged = Buffer.concat([body, Buffer.from(' ')]);
const [good, bad] = [
  { headers, body, publicKey, secret },
  { headers, body: forged, publicKey, secret },
];
/** What somebody may send who is not Daybook. */
const hostile = [
  {},
  ...Object.keys(headers).map((name) => ({ ...headers, [name]: undefined })),
  ...['', 'a', 'no base64!', '§§§§', 'v1,', 'v1,§ v1,a', '9'.repeat(400), '-1', 'Infinity'].map((text) => ({
    ...headers,
    'x-service-signature': text,
    'webhook-timestamp': text,
    'webhook-signature': text,
  })),
  { ...headers, 'x-service-signature': '', 'webhook-signature': '§' },
  { ...headers, 'x-service-signature': 'AAAA', 'webhook-id': '\ud800' },
];
const asJson = ({ body: bytes, ...rest }: typeof good) =>
  JSON.stringify({ ...rest, body: bytes.toString('base64') });

function runNode(call: typeof good): string {
  writeFileSync(join(directory, 'verify.mjs'), example('js'));
  writeFileSync(
    join(directory, 'main.mjs'),
    `import { readFileSync } from 'node:fs';
     import { hasWebhookSignature, isFromDaybook } from './verify.mjs';
     const { headers, body, publicKey, secret } = JSON.parse(readFileSync(0, 'utf8'));
     const raw = Buffer.from(body, 'base64');
     console.log(isFromDaybook(headers, raw, publicKey), hasWebhookSignature(headers, raw, secret));`,
  );
  const args = [join(directory, 'main.mjs')];
  return execFileSync(process.execPath, args, { input: asJson(call), encoding: 'utf8' }).trim();
}

function runPython(call: typeof good): string {
  const main = `
import json, sys
call = json.load(sys.stdin)
raw = base64.b64decode(call["body"])
print(is_from_daybook(call["headers"], raw, call["publicKey"]), has_webhook_signature(call["headers"], raw, call["secret"]))`;
  writeFileSync(join(directory, 'verify.py'), example('python') + main);
  const args = [join(directory, 'verify.py')];
  return execFileSync('python3', args, { input: asJson(call), encoding: 'utf8' }).trim();
}

function runShell(call: typeof good): string {
  writeFileSync(join(directory, 'body.json'), call.body);
  writeFileSync(join(directory, 'public-key.pem'), call.publicKey);
  const env = { PATH: process.env.PATH, SIGNATURE: call.headers['x-service-signature'] };
  return spawnSync('sh', ['-c', example('sh')], { cwd: directory, env, encoding: 'utf8' }).stdout.trim();
}

/** Whether all that the second signature needs is there, and as it was. */
const isWhole = (sent: Readonly<Record<string, string | undefined>>) =>
  (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const).every(
    (name) => sent[name] === headers[name],
  );

const hasPython = spawnSync('python3', ['-c', 'import cryptography']).status === 0;

describe('the examples of docs/how-to/verify-webhooks.md', () => {
  it('in Node tell a webhook from a forged one', () => {
    expect([runNode(good), runNode(bad)]).toEqual(['true true', 'false false']);
  });

  it.skipIf(!hasPython)('in Python tell a webhook from a forged one', () => {
    expect([runPython(good), runPython(bad)]).toEqual(['True True', 'False False']);
  });

  it.each([['Node', runNode], ...(hasPython ? [['Python', runPython] as const] : [])] as const)(
    'in %s answer whatever is sent',
    (_language, run) => {
      for (const sent of hostile) {
        const said = run({ ...good, headers: sent as typeof headers }).toLowerCase();
        const isSigned = [sent['x-service-signature'] === headers['x-service-signature'], isWhole(sent)];
        expect(said, JSON.stringify(sent)).toBe(isSigned.join(' '));
      }
    },
  );

  it('with openssl tell a webhook from a forged one', () => {
    expect([runShell(good), runShell(bad)]).toEqual(['Verified OK', 'Verification failure']);
  });
});
