import { codeOf } from '../error-code.ts';

/** Whether Postgres has refused a statement with this SQLSTATE. */
export const isRefusedWith = (error: unknown, state: string): boolean => codeOf(error) === state;

/** Whether what a row refers to is not there, or not any more. */
export const isForeignKeyViolation = (error: unknown): boolean => isRefusedWith(error, foreignKeyViolation);

/** Whether the statement was ended at its deadline. */
export const isCancelled = (error: unknown): boolean => isRefusedWith(error, cancelled);

/** Whether the transaction was ended since it and others waited for each other. */
export const isDeadlock = (error: unknown): boolean => isRefusedWith(error, deadlock);

const foreignKeyViolation = '23503';
const cancelled = '57014';
const deadlock = '40P01';
