import { timestamp } from '../../platform/clock.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { keyFromCursor, type PageOf, pageFrom } from '../../platform/http/pagination.ts';
import { type ListedFile, listGrants } from './grant-store.ts';

/** Returns a page of a repository's large files, last pushed first. */
export async function listLargeFiles(
  executor: ReadExecutor,
  repoId: string,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<PageOf<ReturnType<typeof present>>> {
  const after = cursor === undefined ? undefined : keyFromCursor(cursor, /^(\d{1,15})\.([0-9a-f]{64})$/);
  const rows = await listGrants(
    executor,
    repoId,
    after && { pushed_at: Number(after[1]), sha256: after[2] ?? '' },
    limit + 1,
  );
  const { items, next } = pageFrom(rows, limit, ({ pushed_at, sha256 }) => `${pushed_at}.${sha256}`);
  return { items: items.map(present), next };
}

const present = ({ sha256, size, pushed_at, filename, ref, pusher }: ListedFile) => ({
  fileOid: sha256,
  oid: sha256,
  size,
  pushedAt: timestamp(pushed_at),
  filename: filename ?? sha256,
  ...(ref !== null && { ref }),
  ...(pusher !== null && { pusher: { type: 'user' as const, name: pusher } }),
});
