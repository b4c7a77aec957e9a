import { describe, expect, it, vi } from 'vitest';
import { aggregates } from '../../../src/domain/aggregates.ts';
import type { WalletCommand } from '../../../src/domain/wallets/commands.ts';
import type { Leg } from '../../../src/domain/wallets/signed-requests.ts';
import { closedEvery } from '../../../src/infrastructure/closings/fold.ts';
import { idOf, type RequestId, uuidOf } from '../../../src/kernel/ids.ts';
import {
  bodySha256,
  byPasskey,
  byToken,
  expiresAt,
  keyNumber,
  oauthId,
  oauthSessionId,
  of,
  walletId,
} from '../../support/builders/wallets.ts';
import { closingsOf, emptyLog, metadata, startProcess } from '../../support/log/long-streams.ts';
import { msLater } from '../../support/time/clock.ts';
import { patienceMs } from '../../support/time/patience.ts';
import { uuidNumber } from '../../support/values/ids.ts';

const uuid = uuidOf(walletId);
const stream = `wallet-${uuid}`;
/** Passkeys that were registered and revoked. Each is four events. */
const passkeys = 400;

type Process = Awaited<ReturnType<typeof startProcess>>;
const run = ({ commands }: Process, command: WalletCommand) =>
  commands.run('wallet', uuid, command, metadata);
const credential = (n: number) => ({
  credentialId: idOf('AuthMethod', uuidNumber(20_000 + n)),
  nickname: 'mine',
  identity: { ...byPasskey, challenge: `registered-${n}` },
});

/** Both legs of what the session by the token signs. */
async function signed(process: Process, n: number, command: (leg: Leg) => WalletCommand) {
  const requestId: RequestId = idOf('Request', uuidNumber(30_000 + n));
  await run(process, command({ kind: 'ask', request: { requestId, payloadToSign: 'text', expiresAt } }));
  return run(process, command({ kind: 'stamped', requestId, sessionId: oauthSessionId }));
}

const add =
  (n: number, own = credential(n)) =>
  (leg: Leg): WalletCommand => ({
    type: 'AddCredential',
    ...of,
    bodySha256,
    leg,
    credential: own,
  });

async function busyWallet() {
  const url = await emptyLog();
  const process = await startProcess(url);
  const first = { credentialId: oauthId, nickname: 'ada', identity: byToken };
  await run(process, add(0, first as never)({ kind: 'ask', request: {} as never }));
  await run(process, {
    type: 'StartSession',
    ...of,
    credentialId: oauthId,
    session: { sessionId: oauthSessionId, publicKey: keyNumber(2), expiresAt: msLater(900_000) },
    proof: byToken,
  });
  for (let n = 1; n <= passkeys; n++) {
    await signed(process, 2 * n, add(n));
    const { credentialId } = credential(n);
    await signed(process, 2 * n + 1, (leg) => ({
      type: 'RevokeCredential',
      ...of,
      bodySha256,
      leg,
      credentialId,
    }));
  }
  await vi.waitFor(async () => expect(await closingsOf(url, stream)).toBeGreaterThanOrEqual(3), {
    timeout: patienceMs,
  });
  return { url, process };
}

describe('a wallet of many passkeys that were revoked', () => {
  it('has few of their challenges in memory, and refuses each of them in any process', async () => {
    const { url, process } = await busyWallet();
    const next = await startProcess(url);
    for (const one of [process, next]) {
      const wallet = await one.commands.load('wallet', uuid);
      expect(wallet.usedChallenges.count).toBe(passkeys);
      expect(wallet.usedChallenges.size).toBeLessThan(closedEvery);
      expect(aggregates.wallet.extraBytes(wallet)).toBeLessThan(256 * 1024);
      for (const n of [1, 17, passkeys])
        await expect(signed(one, 5_000 + n, add(n))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
    expect((await signed(next, 9_000, add(passkeys + 1))).events).toMatchObject([
      { type: 'CredentialAdded' },
    ]);
  });
});
