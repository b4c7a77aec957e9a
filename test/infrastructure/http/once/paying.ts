import type { Operation } from '../../../../src/infrastructure/http/operation.ts';

/** An operation that describes nothing of what it takes and answers. */
export const paying: Operation = {
  operationId: 'pay',
  method: 'post',
  path: '/pay',
  tag: 'pay',
  summary: '',
  permission: [],
  responses: {},
  errors: {},
};
