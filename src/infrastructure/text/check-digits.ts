/** Numbers of banks that carry check digits. */
import { createRequire } from 'node:module';
import { isValidIBAN } from 'ibantools';

type Check = { readonly default: (text: string) => boolean };

/** By itself: the whole library takes 12 MiB. Its single modules are CommonJS. */
const require = createRequire(import.meta.url);
const { default: isAbaRouting }: Check = require('validator/lib/isAbaRouting');

const plain = /^[0-9A-Z]*$/;

/** Whether an IBAN, without spaces and in capitals, has the length and the check digits that its country wants. */
export const isIban = (text: string): boolean => plain.test(text) && isValidIBAN(text);

/** Whether it is a routing number of the American Bankers Association: its digits fit, and its first two are given out. */
export const isAbaRoutingNumber = (text: string): boolean => isAbaRouting(text);
