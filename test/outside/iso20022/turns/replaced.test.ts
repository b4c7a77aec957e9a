/** Files that the bank puts in place of others while Daybook is at work on them. */
import { renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asked, openBank, temporaryFolder } from '../../../support/bank/bank.ts';
import { entry, statement } from '../../../support/bank/messages.ts';

const statementOf = (reference: string) =>
  statement([entry({ reference, remittance: 'DB-ABCDEFGHIJ' })], { id: reference });

/** A bank that does something in the folder at the moment when the first money is told. */
async function bankThat(interferes: (at: (name: string) => string) => void) {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, 'in', name);
  let isFirst = true;
  const bank = await openBank({
    folder,
    arrival: () => {
      if (isFirst) interferes(at);
      isFirst = false;
      return { status: 'credited', transactionId: 'Transaction:1' };
    },
  });
  const references = () => bank.told.arrivals.map(({ bankReference }) => bankReference.split('/').at(-1));
  return { ...bank, at, references };
}

/** As programs do that never leave half a file under its name. */
const replace = (path: string, text: string) => {
  writeFileSync(`${path}.part`, text);
  renameSync(`${path}.part`, path);
};

describe('a file that is replaced', () => {
  it.each<[string, (path: string, text: string) => void]>([
    ['by another of its name', replace],
    ['in its content', writeFileSync],
  ])('%s while it is read is read as well', async (_how, put) => {
    const bank = await bankThat((at) => put(at('a.xml'), statementOf('SECOND')));
    await bank.deliver(statementOf('FIRST'), 'a.xml');
    expect(bank.names('in')).toEqual(['a.xml']);
    await bank.turns();
    expect(new Set(bank.references())).toEqual(new Set(['FIRST', 'SECOND']));
    expect(bank.names('in')).toEqual([]);
    expect(bank.names('done')).toEqual(['a.xml']);
  });

  it('before its turn has come is not read before it is at rest', async () => {
    const bank = await bankThat((at) => writeFileSync(at('b.xml'), statementOf('THIRD')));
    writeFileSync(bank.at('b.xml'), statementOf('SECOND'));
    await bank.deliver(statementOf('FIRST'), 'a.xml');
    expect(bank.references()).toEqual(['FIRST']);
    await bank.turns();
    expect(bank.references()).toEqual(['FIRST', 'THIRD']);
  });

  it('by a link is not followed', async () => {
    const elsewhere = join(temporaryFolder(), 'secret.xml');
    writeFileSync(elsewhere, statementOf('SECRET'));
    const bank = await bankThat((at) => {
      symlinkSync(elsewhere, at('.link'));
      renameSync(at('.link'), at('b.xml'));
    });
    writeFileSync(bank.at('b.xml'), statementOf('SECOND'));
    await expect(bank.deliver(statementOf('FIRST'), 'a.xml')).rejects.toThrow('ELOOP');
    await bank.turns();
    expect(bank.references()).toEqual(['FIRST']);
  });

  it('by another of the same length and time is another', async () => {
    const bank = await openBank();
    const path = join(bank.folder, 'in', 'a.xml');
    writeFileSync(path, statementOf('FIRST'));
    writeFileSync(`${path}.part`, statementOf('OTHER'));
    for (const one of [path, `${path}.part`]) utimesSync(one, 1_000, 1_000);
    await bank.rail.turn(asked.signal);
    renameSync(`${path}.part`, path);
    await bank.rail.turn(asked.signal);
    expect(bank.told.arrivals).toEqual([]);
    await bank.rail.turn(asked.signal);
    expect(bank.told.arrivals).toHaveLength(1);
  });
});
