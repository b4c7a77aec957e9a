import { badField } from '../../kernel/rejected.ts';

/** Nobody was born, and no business founded, in the future. Throws `Rejected` for a date that is. */
export function requirePast(field: string, date: string | undefined, at: Date): void {
  if (date !== undefined && new Date(date) > at) throw badField(field, 'must not be in the future');
}
