import { describe, it } from 'vitest';
import { token } from '../../../src/domain/tokens/token.ts';
import { specFor } from '../../support/builders/spec.ts';
import {
  tokenDeleted,
  tokenDetails,
  tokenIssued,
  tokenRenewed,
  tokenUsed,
} from '../../support/builders/tokens.ts';
import { msLater, testStart } from '../../support/time/clock.ts';

const given = specFor(token);
const later = msLater(5);
const last = msLater(9);
const record = ({ updatedAt = testStart, deletedAt }: { updatedAt?: Date; deletedAt?: Date } = {}) =>
  ({
    type: 'RecordToken',
    token: { ...tokenDetails, createdAt: testStart, updatedAt, deletedAt: deletedAt ?? null },
  }) as const;
const use = (at: Date) => ({ type: 'UseToken', at }) as const;
const deleted = { updatedAt: later, deletedAt: later };

describe('the record of a token', () => {
  it('begins with who got it', () => given().when(record()).then(tokenIssued()));

  it('is written once', () => {
    given(tokenIssued()).when(record()).thenNothing();
    given(tokenIssued(), tokenDeleted(later)).when(record(deleted)).thenNothing();
    given(tokenIssued(), tokenRenewed(later))
      .when(record({ updatedAt: later }))
      .thenNothing();
  });

  it('catches up with all that happened to it', () => {
    given().when(record(deleted)).then(tokenIssued(), tokenDeleted(later));
    given()
      .when(record({ updatedAt: later }))
      .then(tokenIssued(), tokenRenewed(later));
    given(tokenIssued()).when(record(deleted)).then(tokenDeleted(later));
  });

  it('goes on when the operator gives a deleted one another secret', () =>
    given(tokenIssued(), tokenDeleted(later))
      .when(record({ updatedAt: last }))
      .then(tokenRenewed(last)));

  it('does not take a token of an old backup for a new one', () =>
    given(tokenIssued(), tokenDeleted(later)).when(record()).thenNothing());
});

describe('the use of a token', () => {
  const nextDay = new Date('2026-11-03T00:00:00.000Z');

  it('is recorded once a day', () => {
    given(tokenIssued()).when(use(later)).then(tokenUsed(later));
    given(tokenIssued(), tokenUsed()).when(use(later)).thenNothing();
    given(tokenIssued(), tokenUsed()).when(use(nextDay)).then(tokenUsed(nextDay, '2026-11-03'));
  });

  it('is not recorded for a day before the last one, nor before the token is', () => {
    given(tokenIssued(), tokenUsed(nextDay, '2026-11-03')).when(use(later)).thenNothing();
    given().when(use(later)).thenNothing();
  });

  it('is recorded of one that is being deleted, which works for a second more', () =>
    given(tokenIssued(), tokenDeleted()).when(use(later)).then(tokenUsed(later)));
});
