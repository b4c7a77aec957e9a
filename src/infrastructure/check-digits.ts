/** Numbers of banks that carry check digits. */
import validator from 'validator';

const plain = /^[0-9A-Z]*$/;

/** Whether an IBAN, without spaces and in capitals, has the length and the check digits that its country wants. */
export const isIban = (text: string): boolean => plain.test(text) && validator.isIBAN(text);

/** Whether it is a routing number of the American Bankers Association: its digits fit, and its first two are given out. */
export const isAbaRoutingNumber = (text: string): boolean => validator.isAbaRouting(text);
