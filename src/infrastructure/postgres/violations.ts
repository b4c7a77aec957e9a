/** Whether what a row refers to is not there, or not any more. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === foreignKeyViolation;

const foreignKeyViolation = '23503';
