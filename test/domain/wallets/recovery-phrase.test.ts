import { describe, it } from 'vitest';
import { wallet } from '../../../src/domain/wallets/wallet.ts';
import { specFor } from '../../support/builders/spec.ts';
import { of, phraseMade } from '../../support/builders/wallets.ts';

const given = specFor(wallet);

describe('the recovery phrase', () => {
  const record = (fingerprint: string) => ({ type: 'RecordRecoveryPhrase', ...of, fingerprint }) as const;
  it('is made once', () => {
    given()
      .when(record('ab'.repeat(32)))
      .then(phraseMade());
    given(phraseMade())
      .when(record('cd'.repeat(32)))
      .thenNothing();
  });
});
