import { describe, expect, it } from 'vitest';
import { decideVerification } from '../../../src/app/cli/commands/decide.ts';
import { eraseOne } from '../../../src/app/cli/commands/erase.ts';
import { UsageError } from '../../../src/app/cli/usage-error.ts';
import { derivedUuid, idOf } from '../../../src/kernel/ids.ts';

const uuid = derivedUuid('test', 'bounded');
const verificationId = idOf('Verification', uuid);

describe.each(['', ' ', 'x'.repeat(1_001)])('a text out of bounds', (text) => {
  it('is no note of a decision', async () => {
    const decision = { id: verificationId, verdict: 'APPROVED' } as const;
    await expect(decideVerification(decision, { note: text })).rejects.toThrow(UsageError);
  });

  it('is no name of who erases', async () => {
    await expect(eraseOne(idOf('Customer', uuid), { actor: text })).rejects.toThrow(UsageError);
  });
});
