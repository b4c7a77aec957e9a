import type { Projection } from '../projector/projection.ts';

/** When tokens were deleted last: what a backup of the table of tokens brings back is not believed against it. */
export const deletedTokens: Projection = {
  name: 'deleted-tokens',
  tables: ['deleted_tokens'],
  project({ type, data }, rows) {
    if (type === 'TokenDeleted') rows.put('deleted_tokens', { token_id: data.tokenId, deleted_at: data.at });
  },
};
