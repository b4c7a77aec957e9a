import { describe, expect, it } from 'vitest';
import { authenticate, authenticateAgent } from '../../../src/api/callers/authenticate.ts';
import { hashSecret } from '../../../src/infrastructure/secrets/hash.ts';
import type { Principal } from '../../../src/use-cases/caller.ts';
import { agentId } from '../../support/builders/agents.ts';
import { customerId, platformId } from '../../support/builders/identities.ts';
import { uuidNumber } from '../../support/values/ids.ts';

const tokenId = `Token:${uuidNumber(8)}`;
const tokenWithColon = `Token:${uuidNumber(7)}`;
const secret = 'correct horse';
const principal: Principal = { platformId, environment: 'sandbox', permissions: ['VIEW'], actor: 'token:1' };
const known = new Map([
  ['client-1', { secretHash: hashSecret(secret), principal }],
  [tokenId, { secretHash: hashSecret(secret), principal }],
  ['with-colon', { secretHash: hashSecret('a:b:c'), principal }],
  [tokenWithColon, { secretHash: hashSecret('a:b:c'), principal }],
  ['Token', { secretHash: hashSecret('a:b:c'), principal }],
]);
const asked: string[] = [];
const findToken = async (clientId: string) => {
  asked.push(clientId);
  return known.get(clientId);
};

const basic = (text: string, scheme = 'Basic') => `${scheme} ${Buffer.from(text).toString('base64')}`;
const withHeader = (header: string | undefined) => authenticate(findToken, header);
const unauthorized = { name: 'Rejected', code: 'UNAUTHORIZED' };

describe('basic authentication', () => {
  it.each([
    ['a client id', basic(`client-1:${secret}`)],
    ['the id of the token', basic(`${tokenId}:${secret}`)],
    ['a secret with colons', basic('with-colon:a:b:c')],
    ['the id of the token and a secret with colons', basic(`${tokenWithColon}:a:b:c`)],
    ['a client id that begins as an id does', basic('Token:a:b:c')],
    ['a scheme in small letters', basic(`client-1:${secret}`, 'basic')],
    ['a scheme in capitals', basic(`client-1:${secret}`, 'BASIC')],
    ['no padding', basic(`client-1:${secret}`).replace(/=+$/, '')],
  ])('takes %s', async (_name, header) => {
    expect(await withHeader(header)).toBe(principal);
  });

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['the wrong scheme', basic(`client-1:${secret}`, 'Bearer')],
    ['a scheme that only starts well', basic(`client-1:${secret}`, 'Basics')],
    ['a scheme alone', 'Basic'],
    ['a scheme and a space', 'Basic '],
    ['credentials without a scheme', basic(`client-1:${secret}`).slice('Basic '.length)],
    ['no base64', 'Basic !!!'],
    ['credentials in the clear', `Basic client-1:${secret}`],
    ['no colon', basic('client-1')],
    ['no client', basic(`:${secret}`)],
    ['a colon alone', basic(':')],
    ['an unknown client', basic(`client-2:${secret}`)],
    ['an unknown token id', basic(`Token:${uuidNumber(9)}:${secret}`)],
    ['a token id without a secret', basic(tokenId)],
    ['a token id with an empty secret', basic(`${tokenId}:`)],
    ['a wrong secret', basic('client-1:wrong')],
    ['an empty secret', basic('client-1:')],
    ['an empty secret of an unknown client', basic('client-2:')],
    ['part of the secret', basic(`client-1:${secret.slice(0, -1)}`)],
    ['a client id that is longer than any', basic(`${'c'.repeat(257)}:${secret}`)],
    ['more than the secret', basic(`client-1:${secret} `)],
    ['more than the secret, behind a colon', basic(`${tokenId}:${secret}:`)],
    ['the last part of a secret with colons', basic(`${tokenWithColon}:c`)],
    ['the hash of the secret', basic(`client-1:${hashSecret(secret).toString('hex')}`)],
    ['a client in capitals', basic(`CLIENT-1:${secret}`)],
    ['NUL in the client', basic(`client-1\u0000:${secret}`)],
    ['NUL in the secret', basic(`client-1:${secret}\u0000`)],
  ])('refuses %s', async (_name, header) => {
    await expect(withHeader(header)).rejects.toMatchObject(unauthorized);
  });

  it('does not say which of the two was wrong', async () => {
    const messages = [basic('client-1:wrong'), basic(`client-2:${secret}`)].map((header) =>
      withHeader(header).catch((error: unknown) => (error instanceof Error ? error.message : undefined)),
    );
    expect(new Set(await Promise.all(messages)).size).toBe(1);
  });

  it('never repeats what it was given', async () => {
    const error = await withHeader(basic('client-77:hunter2')).catch((thrown: unknown) => thrown);
    expect(JSON.stringify(error) + String(error)).not.toMatch(/client-77|hunter2/);
  });

  it('asks for a token by the whole id, and for nothing that cannot be one', async () => {
    asked.length = 0;
    await withHeader(basic(`${tokenId}:${secret}`));
    await withHeader(basic(`client-1\u0000:${secret}`)).catch(() => undefined);
    expect(asked).toEqual([tokenId]);
  });

  it('lets a failure of the store through as it is', async () => {
    const down = new Error('the store is down');
    await expect(authenticate(() => Promise.reject(down), basic('a:b'))).rejects.toBe(down);
  });
});

describe('bearer authentication', () => {
  const token = `agt_${'0f'.repeat(32)}`;
  const agent = { platformId, agentId, customerId, actor: `agent:${agentId}` };
  const findAgent = async (tokenHash: Buffer) =>
    tokenHash.equals(hashSecret(token)) ? { tokenHash: hashSecret(token), principal: agent } : undefined;
  const asAgent = (header: string | undefined) => authenticateAgent(findAgent, header);

  it.each([`Bearer ${token}`, `bearer ${token}`, `  BEARER   ${token} `])('takes %j', async (header) => {
    expect(await asAgent(header)).toBe(agent);
  });

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['a scheme alone', 'Bearer'],
    ['a token alone', token],
    ['Basic', `Basic ${token}`],
    ['API credentials', basic(`client-1:${secret}`)],
    ['another token', `Bearer ${token.replace('0f', '1f')}`],
    ['a token cut short', `Bearer ${token.slice(0, -1)}`],
    ['more than a token', `Bearer ${token} ${token}`],
    ['a token in capitals', `Bearer ${token.toUpperCase()}`],
    ['the hash of the token', `Bearer ${hashSecret(token).toString('hex')}`],
    ['a very long token', `Bearer ${token.repeat(1_000)}`],
  ])('refuses %s', async (_name, header) => {
    await expect(asAgent(header)).rejects.toMatchObject(unauthorized);
  });

  it('does not believe a store that finds another token', async () => {
    const wrong = async () => ({ tokenHash: hashSecret('another'), principal: agent });
    await expect(authenticateAgent(wrong, `Bearer ${token}`)).rejects.toMatchObject(unauthorized);
  });

  it('never repeats what it was given', async () => {
    const error = await asAgent('Bearer agt_hunter2').catch((thrown: unknown) => thrown);
    expect(JSON.stringify(error) + String(error)).not.toMatch(/hunter2/);
  });
});

describe('the hash of a secret', () => {
  it('is SHA-256', () => {
    expect(hashSecret('abc').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});
