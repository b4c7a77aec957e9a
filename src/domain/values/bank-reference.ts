/** What a bank statement carries of a payment: letters and digits, the prefix telling its kind. */
export const bankReference = (prefix: 'DB' | 'TI' | 'TO' | 'IN', uuid: string): string =>
  `${prefix}${uuid.replaceAll('-', '').slice(-14).toUpperCase()}`;
