/** Whether Postgres has refused a statement with this SQLSTATE. */
export const isRefusedWith = (error: unknown, state: string): boolean =>
  error instanceof Error && 'code' in error && error.code === state;

/** Whether what a row refers to is not there, or not any more. */
export const isForeignKeyViolation = (error: unknown): boolean => isRefusedWith(error, foreignKeyViolation);

const foreignKeyViolation = '23503';
