import { expect, it } from 'vitest';
import { email } from '../../../src/domain/values/text.ts';

it.each(['ada@example.com', "a.d'a+b@mail.example.co.uk", 'a@example.xn--p1ai', 'a@XN--e1afmkfd.XN--P1AI'])(
  'an e-mail address may be %s',
  (address) => expect(email.parse(address)).toBe(address),
);

it.each([
  'ada',
  'ada@example',
  'ada@example.c',
  'ada@xn--p1ai',
  'ada@example.xn--',
  'ada@example.xn--p1ai-',
  'ada@example.x1',
  'ada@пример.рф',
  '.ada@example.com',
  'ada@example.com\n',
])('an e-mail address may not be %j', (address) => expect(email.safeParse(address).success).toBe(false));
