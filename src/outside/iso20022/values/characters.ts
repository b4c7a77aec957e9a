/** The characters that every bank of SEPA takes: Latin letters, digits and a few marks. */

const spelled = new Map(
  Object.entries({
    ß: 'ss',
    æ: 'ae',
    Æ: 'AE',
    œ: 'oe',
    Œ: 'OE',
    ø: 'o',
    Ø: 'O',
    ł: 'l',
    Ł: 'L',
    đ: 'd',
    Đ: 'D',
    ð: 'd',
    Ð: 'D',
    þ: 'th',
    Þ: 'TH',
    ı: 'i',
    '&': '+',
    '@': '(at)',
    _: '-',
    '’': "'",
    '‘': "'",
    '–': '-',
    '—': '-',
  }),
);

/**
 * The text in those characters, cut to `longest`: accents are dropped, some letters spelled out, and what has no
 * likeness becomes a full stop. Empty where no letter and no digit is left. No slash stands first, last or beside another.
 */
export function inBankCharacters(text: string, longest: number): string {
  const plain = Array.from(text.normalize('NFC'), (character) => spelled.get(character) ?? character)
    .join('')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/\s+/gu, ' ')
    .replace(/[^A-Za-z0-9/\-?:().,'+ ]/gu, '.')
    .replace(/\/{2,}/g, '/')
    .slice(0, longest)
    .replace(/^[/ ]+|[/ ]+$/g, '');
  return /[A-Za-z0-9]/.test(plain) ? plain : '';
}
