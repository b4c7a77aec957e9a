import type { Money } from '../../../src/kernel/money.ts';

export const money = (minor: bigint, currency: string): Money => ({ minor, currency });
/** Cents: `usd(1_00n)` is one dollar. */
export const usd = (minor: bigint) => money(minor, 'USD');
export const eur = (minor: bigint) => money(minor, 'EUR');
