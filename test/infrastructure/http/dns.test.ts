import { lookup } from 'node:dns/promises';
import { describe, expect, it } from 'vitest';
import { addressesAt, listedIn } from '../../../src/infrastructure/outgoing/dns.ts';
import { startNameServer } from '../../support/servers/name-server.ts';

const names: Readonly<Record<string, readonly string[] | 'silent'>> = {
  'known.example': ['192.0.2.1', '192.0.2.2'],
  'silent.example': 'silent',
};

const asking = async () => {
  const { address, asked } = await startNameServer((name) => names[name] ?? []);
  const ask = (name: string, mayBeLocal = false) => addressesAt(name, { mayBeLocal, servers: [address] });
  return { ask, asked };
};

describe('the addresses of a name', () => {
  it('are those that a name server says', async () => {
    const { ask } = await asking();
    expect(await ask('known.example')).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '192.0.2.2', family: 4 },
    ]);
  });

  it('are not asked for where the machine has them', async () => {
    const { ask, asked } = await asking();
    expect(await ask('localhost')).toContainEqual({ address: '127.0.0.1', family: 4 });
    expect(asked).toEqual([]);
  });

  it('are nowhere when nobody knows it', async () => {
    const { ask } = await asking();
    await expect(ask('unknown.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('are the business of the system where only it may know it', async () => {
    const { ask } = await asking();
    await expect(ask('unknown.invalid', true)).rejects.toMatchObject({ syscall: 'getaddrinfo' });
  });

  it('hold up nobody where no server answers', async () => {
    const { ask, asked } = await asking();
    let isOver = false;
    const silent = Promise.allSettled(Array.from({ length: 8 }, () => ask('silent.example', true)));
    silent.finally(() => {
      isOver = true;
    });
    await lookup('localhost');
    expect(await ask('known.example')).toHaveLength(2);
    expect(asked.filter((name) => name === 'silent.example').length).toBeGreaterThanOrEqual(8);
    expect(isOver).toBe(false);
  });
});

describe("the machine's list of hosts", () => {
  const hosts = [
    '127.0.0.1 localhost # this machine',
    '  10.0.0.5\treceiver.test  Receiver ',
    '#10.0.0.6 none.test',
    '::1 localhost',
    'fe80::1%lo0 localhost',
    'nonsense wrong.test',
    '',
  ].join('\n');

  it.each([
    ['localhost', ['127.0.0.1', '::1', 'fe80::1%lo0']],
    ['RECEIVER.test', ['10.0.0.5']],
    ['receiver', ['10.0.0.5']],
    ['none.test', []],
    ['wrong.test', []],
    ['', []],
  ])('says of %j: %j', (name, addresses) =>
    expect(listedIn(hosts, name).map(({ address }) => address)).toEqual(addresses),
  );
});
