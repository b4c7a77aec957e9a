import { utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { asked, openBank } from '../../support/bank/bank.ts';
import { entry, euroAccount, statement, sterlingAccount } from '../../support/bank/messages.ts';

const credit = (more: Parameters<typeof entry>[0] = {}) =>
  entry({ remittance: 'DB-ABCDEFGHIJ thanks', ...more });

describe('money that comes in', () => {
  it('is told with what the payer named, under the name that the bank gave it', async () => {
    const bank = await openBank();
    await bank.deliver(statement([credit()]));
    expect(bank.told.arrivals).toEqual([
      {
        bankReference: `${euroAccount}/credit/BANKREF1`,
        amount: { minor: 1_234n, currency: 'EUR' },
        named: ['DB-ABCDEFGHIJ thanks'],
        refusalIsFinal: true,
        isOnStatement: true,
      },
    ]);
    expect(bank.names('unmatched')).toEqual([]);
  });

  it('is told once: the same file, and the same entry in another statement, change nothing', async () => {
    const bank = await openBank();
    await bank.deliver(statement([credit()]));
    await bank.deliver(statement([credit()]));
    await bank.deliver(statement([credit()], { id: 'STMT2' }), 'other.xml');
    expect(bank.told.arrivals).toHaveLength(1);
    expect(bank.cases()).toEqual([]);
  });

  it.each([
    ['with spaces', euroAccount, 'DE89 3704 0044 0532 0130 00', 'EUR'],
    ['in small letters', euroAccount, euroAccount.toLowerCase(), 'EUR'],
    ['by sort code and number', sterlingAccount, '60161331926819', 'GBP'],
    ['by sort code and number with dashes', sterlingAccount, '60-16-13 31926819', 'GBP'],
  ])('is told once, where another statement writes the account %s', async (_how, iban, other, currency) => {
    const bank = await openBank();
    await bank.deliver(statement([credit({ currency })], { account: iban }));
    await bank.deliver(statement([credit({ currency })], { account: other, id: 'STMT2' }), 'other.xml');
    expect(bank.told.arrivals.map(({ bankReference }) => bankReference)).toEqual([`${iban}/credit/BANKREF1`]);
    expect(bank.cases()).toEqual([]);
  });

  it('is told with what the bank says of the transaction', async () => {
    const bank = await openBank();
    const words = '<AddtlTxInf>DB-ABCDEFGHIJ</AddtlTxInf></TxDtls>';
    await bank.deliver(statement([entry({}).replace('</TxDtls>', words)]));
    expect(bank.told.arrivals.map(({ named }) => named)).toEqual([['DB-ABCDEFGHIJ']]);
  });

  it('twice alike in one message, without a name, is listed twice, however the account is written', async () => {
    const bank = await openBank();
    const lines = [credit({ reference: '' })];
    const inSmall = /<Stmt>.*<\/Stmt>/s.exec(statement(lines, { account: euroAccount.toLowerCase() }))?.[0];
    await bank.deliver(statement(lines).replace('</Stmt>', `</Stmt>${inSmall}`));
    expect(bank.whys()).toEqual(['NO_BANK_REFERENCE', 'NO_BANK_REFERENCE']);
  });

  it('twice alike, under two names of the bank, is two', async () => {
    const bank = await openBank();
    await bank.deliver(statement([credit({ reference: 'A' }), credit({ reference: 'B' })]));
    expect(bank.told.arrivals.map(({ bankReference }) => bankReference)).toEqual([
      `${euroAccount}/credit/A`,
      `${euroAccount}/credit/B`,
    ]);
  });

  it.each([
    ['in one statement', [credit(), credit()], []],
    ['for another amount, in another', [credit()], [credit({ amount: '99.00' })]],
  ])('under a name that the bank has used already, %s, is listed', async (_where, first, second) => {
    const bank = await openBank();
    await bank.deliver(statement(first));
    if (second.length > 0) await bank.deliver(statement(second, { id: 'STMT2' }), 'other.xml');
    expect(bank.told.arrivals).toHaveLength(1);
    expect(bank.cases()).toMatchObject([{ why: 'REFERENCE_REUSED' }]);
  });

  it('of nothing, with transactions in another currency, rejects no file', async () => {
    const bank = await openBank();
    const transaction = '<TxDtls><Amt Ccy="USD">3.00</Amt></TxDtls>';
    const nothing = credit({ amount: '0.00', reference: 'NOTHING' }).replace(
      /<TxDtls>.*<\/TxDtls>/s,
      transaction.repeat(2),
    );
    await bank.deliver(statement([nothing, credit()]));
    expect(bank.told.arrivals).toHaveLength(1);
    expect(bank.cases()).toMatchObject([{ why: 'UNKNOWN_CREDIT', amount: '0.00', currency: 'EUR' }]);
  });

  it.each(['', 'NONREF', 'NOTPROVIDED'])('without a name (%j) is listed', async (reference) => {
    const bank = await openBank();
    await bank.deliver(statement([credit({ reference })]));
    expect(bank.told.arrivals).toEqual([]);
    expect(bank.cases()).toMatchObject([{ why: 'NO_BANK_REFERENCE', amount: '12.34', currency: 'EUR' }]);
  });

  it('that Daybook finds no account for is listed once, with what an operator needs', async () => {
    const bank = await openBank({ arrival: () => ({ status: 'unmatched' }) });
    await bank.deliver(statement([credit({ endToEndId: 'INVOICE-7' })]));
    await bank.deliver(statement([credit({ endToEndId: 'INVOICE-7' })], { id: 'STMT2' }), 'other.xml');
    expect(bank.cases()).toEqual([
      expect.objectContaining({
        why: 'UNKNOWN_CREDIT',
        account: euroAccount,
        amount: '12.34',
        bookedOn: '2026-11-02',
        bankReference: 'BANKREF1',
        named: ['DB-ABCDEFGHIJ thanks', 'INVOICE-7'],
      }),
    ]);
  });

  it('that Daybook refuses is listed with the refusal', async () => {
    const refused = {
      status: 'refused',
      code: 'CUSTOMER_DELETED',
      message: 'The customer is deleted.',
      stays: true,
    } as const;
    const bank = await openBank({ arrival: () => refused });
    await bank.deliver(statement([credit()]));
    expect(bank.cases()).toMatchObject([{ why: 'CREDIT_REFUSED', refusedWith: 'CUSTOMER_DELETED' }]);
  });

  it('that Daybook cannot take now is told again, and its file stays', async () => {
    let isAway = true;
    const bank = await openBank({
      arrival: () => {
        if (isAway) throw new Error('the log is away');
        return { status: 'known', transactionId: 'Transaction:1' };
      },
    });
    await expect(bank.deliver(statement([credit()]))).rejects.toThrow('the log is away');
    expect(bank.names('in')).toEqual(['from-bank.xml']);
    isAway = false;
    await bank.turns();
    expect(bank.told.arrivals).toHaveLength(2);
    expect(bank.names('in')).toEqual([]);
    expect(bank.names('done')).toEqual(['from-bank.xml']);
  });

  it('an operator has taken from the list is not listed again', async () => {
    const bank = await openBank({ arrival: () => ({ status: 'unmatched' }) });
    await bank.deliver(statement([credit()]));
    const { rmSync } = await import('node:fs');
    rmSync(`${bank.folder}/unmatched/${bank.names('unmatched')[0]}`);
    await bank.deliver(statement([credit()]), 'again.xml');
    expect(bank.cases()).toEqual([]);
  });
});

describe('an operator', () => {
  const listed = async (known: readonly string[]) => {
    const bank = await openBank({
      arrival: ({ named }) =>
        known.includes(named[0] ?? '')
          ? { status: 'credited', transactionId: 'Transaction:1' }
          : { status: 'unmatched' },
    });
    await bank.deliver(statement([credit({ remittance: 'thanks' })]));
    const name = bank.names('unmatched')[0]?.replace('.json', '') ?? expect.fail('nothing is listed');
    const say = (text: string, of = name) => writeFileSync(`${bank.folder}/unmatched/${of}.account`, text);
    return { ...bank, name, say };
  };

  it('says whose money it is: the amount that the bank told is credited, under its name', async () => {
    const { folder, name, say, rail, told, names } = await listed(['DB-ABCDEFGHIJ']);
    writeFileSync(`${folder}/unmatched/${name}.json`, '{"amount":"9999.00"}');
    say('DB-ABCDEFGHIJ\n');
    await rail.turn(asked.signal);
    expect(told.arrivals.at(-1)).toEqual({
      bankReference: `${euroAccount}/credit/BANKREF1`,
      amount: { minor: 1_234n, currency: 'EUR' },
      named: ['DB-ABCDEFGHIJ'],
      refusalIsFinal: true,
      decision: expect.stringMatching(/^[\w-]{1,64}$/),
    });
    expect(names('unmatched')).toEqual(['credited']);
  });

  it('has decided once, however many processes read it, and anew where it is said anew', async () => {
    const { folder, name, say, rail, told } = await listed([]);
    const sayAt = (seconds: number) => {
      say('DB-ABCDEFGHIJ');
      utimesSync(`${folder}/unmatched/${name}.account`, seconds, seconds);
    };
    for (const seconds of [1_000.5, 1_000.5, 1_001]) {
      sayAt(seconds);
      await rail.turn(asked.signal);
    }
    const [first, second, other] = told.arrivals.slice(1).map(({ decision }) => decision);
    expect(first).toBe(second);
    expect(other).not.toBe(second);
  });

  it('is heard of one credit where another cannot be booked now', async () => {
    const bank = await openBank({
      arrival: ({ named: [reference] }) => {
        if (reference === 'DB-AAAAAAAAAA') throw new Error('the read models are behind');
        return reference === 'DB-BBBBBBBBBB'
          ? { status: 'credited', transactionId: 'Transaction:1' }
          : { status: 'unmatched' };
      },
    });
    const lines = ['A', 'B'].map((reference) => credit({ reference, remittance: 'thanks' }));
    await bank.deliver(statement(lines));
    const [first = '', second = ''] = bank.names('unmatched').filter((name) => name.endsWith('.json'));
    const say = (name: string, reference: string) =>
      writeFileSync(`${bank.folder}/unmatched/${name.replace('.json', '.account')}`, reference);
    say(first, 'DB-AAAAAAAAAA');
    say(second, 'DB-BBBBBBBBBB');
    await expect(bank.rail.turn(asked.signal)).rejects.toThrow('the read models are behind');
    expect(bank.names('unmatched/credited')).toEqual([second]);
    expect(bank.names('unmatched')).toContain(first.replace('.json', '.account'));
  });

  it('is told why it cannot be', async () => {
    const { name, say, rail, names, read } = await listed([]);
    say('DB-ABCDEFGHIJ');
    await rail.turn(asked.signal);
    expect(names('unmatched')).toEqual([`${name}.json`, `${name}.reason.txt`]);
    expect(read('unmatched', `${name}.reason.txt`)).toBe('no account in EUR has the reference\n');
  });

  it('is no longer told why it could not be, once it is credited', async () => {
    const { say, rail, names } = await listed(['DB-ABCDEFGHIJ']);
    say('DB-OTHER');
    await rail.turn(asked.signal);
    say('DB-ABCDEFGHIJ');
    await rail.turn(asked.signal);
    expect(names('unmatched')).toEqual(['credited']);
  });

  it.each(['', 'x'.repeat(201)])('is told that the file has no reference', async (text) => {
    const { name, say, rail, read } = await listed(['']);
    say(text);
    await rail.turn(asked.signal);
    expect(read('unmatched', `${name}.reason.txt`)).toBe('the file has no reference\n');
  });

  it('is told that there is no money in an entry of nothing', async () => {
    const bank = await openBank();
    await bank.deliver(statement([credit({ amount: '0.00' })]));
    const name = bank.names('unmatched')[0]?.replace('.json', '');
    writeFileSync(`${bank.folder}/unmatched/${name}.account`, 'DB-ABCDEFGHIJ');
    await bank.rail.turn(asked.signal);
    expect(bank.read('unmatched', `${name}.reason.txt`)).toBe('there is no credit of that name\n');
    expect(bank.told.arrivals).toEqual([]);
  });

  it('makes no money of a name that was never listed', async () => {
    const { say, rail, told } = await listed(['DB-ABCDEFGHIJ']);
    say('DB-ABCDEFGHIJ', '0'.repeat(32));
    say('DB-ABCDEFGHIJ', '..');
    await rail.turn(asked.signal);
    expect(told.arrivals).toHaveLength(1);
  });
});
