import * as z from 'zod';
import { deleteTokensById } from '../accounts/index.ts';
import type { Clock } from '../platform/clock.ts';
import { defineTask, type StepOf } from '../platform/queue/tasks.ts';
import { deleteOldCodes } from './code-store.ts';
import { orphanedGrants } from './grants/grant-store.ts';
import { deleteOldKeys } from './openid/key-store.ts';
import { KEY_RETENTION_MS } from './openid/keys.ts';
import { deleteOldPublisherTokens, orphanedPublishers } from './publishers/publisher-store.ts';
import { deleteExpiredTokens } from './tokens/token-store.ts';

const BATCH_ROWS = 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

export const pruneOauthTask = defineTask('oauth.prune', z.null());

/**
 * Creates the step that deletes expired tokens, codes expired for a day, grants without tokens or codes, publishers of
 * deleted resources and old keys, one batch of each.
 */
export const createPruneOauth =
  ({ clock }: { readonly clock: Clock }): StepOf<typeof pruneOauthTask> =>
  async (tx) => {
    const now = clock.now();
    // Grants and publishers share their ids with rows of `tokens`, and are deleted with them.
    const orphanedIds = [
      ...(await orphanedGrants(tx, now - DAY_MS, BATCH_ROWS)),
      ...(await orphanedPublishers(tx, BATCH_ROWS)),
    ];
    await deleteTokensById(tx, orphanedIds);
    await deleteOldKeys(tx, now - KEY_RETENTION_MS);
    const counts = [
      orphanedIds.length,
      await deleteExpiredTokens(tx, now, BATCH_ROWS),
      await deleteOldCodes(tx, now - DAY_MS, BATCH_ROWS),
      await deleteOldPublisherTokens(tx, now, BATCH_ROWS),
    ];
    return counts.some((count) => count >= BATCH_ROWS) ? { data: null } : 'done';
  };
