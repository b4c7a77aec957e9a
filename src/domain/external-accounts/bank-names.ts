/** Names of banks by their BIC, for accounts that are registered without one. */
import type { AccountInfo } from './definitions.ts';

/** Banks that clear in SGD, by the first eight characters of their BIC: those after them are of a branch. */
const inSingapore: ReadonlyMap<string, string> = new Map([
  ['ANZBSGSX', 'Australia and New Zealand Banking Group'],
  ['BKCHSGSG', 'Bank of China'],
  ['BNPASGSG', 'BNP Paribas'],
  ['BOTKSGSX', 'MUFG Bank'],
  ['CIBBSGSG', 'CIMB Bank'],
  ['CITISGSG', 'Citibank'],
  ['CITISGSL', 'Citibank Singapore'],
  ['DBSSSGSG', 'DBS Bank'],
  ['DEUTSGSG', 'Deutsche Bank'],
  ['HSBCSGS2', 'HSBC Bank (Singapore)'],
  ['HSBCSGSG', 'HSBC'],
  ['ICBKSGSG', 'Industrial and Commercial Bank of China'],
  ['MBBESGS2', 'Maybank Singapore'],
  ['MBBESGSG', 'Malayan Banking'],
  ['MHCBSGSG', 'Mizuho Bank'],
  ['OCBCSGSG', 'Oversea-Chinese Banking Corporation'],
  ['RHBBSGSG', 'RHB Bank'],
  ['SBINSGSG', 'State Bank of India'],
  ['SCBLSG22', 'Standard Chartered Bank (Singapore)'],
  ['SMBCSGSG', 'Sumitomo Mitsui Banking Corporation'],
  ['TRBUSGSG', 'Trust Bank Singapore'],
  ['UOVBSGSG', 'United Overseas Bank'],
]);

/** The account with the name of its bank, where that may be left out and follows from the BIC. */
export function withBankName(info: AccountInfo): AccountInfo {
  if (info.accountType !== 'SGD_ACCOUNT') return info;
  const { bankName, swiftCode } = info;
  const found = bankName ?? inSingapore.get(swiftCode.slice(0, 8));
  return found === undefined ? info : { ...info, bankName: found };
}
