import type { AuditEvent, AuditHead } from '@moonbase/contract/audit-log/events';
import { type Clock, timestamp } from '../platform/clock.ts';
import type { Database, ReadExecutor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { type JsonText, parseJson } from '../platform/http/json/text.ts';
import { keyFromCursor, type PageOf, pageFrom } from '../platform/http/pagination.ts';
import { type AvatarUrl, createPresenter } from './present.ts';
import { parseAuditQuery } from './query.ts';
import { newestFirst } from './scan.ts';
import { chainEnd, chainStart, type StoredEvent } from './store.ts';

/** The most that an export holds (specification, Limits). */
const MAX_EXPORTED = 100_000;
const JUDGED_EVERY_MS = 1_000;

/** Returns the organization whose log a caller may read, or throws why not. From access. */
export type RequireReader = (
  executor: ReadExecutor,
  caller: Caller,
  name: string,
) => Promise<{ readonly id: string; readonly name: string }>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly requireReader: RequireReader;
  readonly avatarUrl: AvatarUrl;
}

export type AuditReading = ReturnType<typeof createAuditReading>;

/** The verbs that read the log. */
export function createAuditReading({ database: { read }, clock, requireReader, avatarUrl }: Dependencies) {
  const presenter = ({ baseUrl }: Caller) => createPresenter({ executor: read, baseUrl, avatarUrl });

  /** What of a log is kept: from its first event to behind its last. */
  async function extentOf(orgId: string): Promise<{ from: number; below: number }> {
    const [first, last] = await Promise.all([chainStart(read, orgId), chainEnd(read, orgId)]);
    return { from: first?.seq ?? 1, below: (last?.seq ?? 0) + 1 };
  }

  return {
    /**
     * The last 100,000 events that fit, newest first, in batches; and the name of a file for them. Whoever lost the
     * token, or the right to read them, gets no more: asked each second.
     */
    async export(caller: Caller, name: string, q: string | undefined, identify: () => Promise<Caller>) {
      const query = parseAuditQuery(q);
      const organization = await requireReader(read, caller, name);
      const extent = await extentOf(organization.id);
      async function* batches(): AsyncGenerator<JsonText<AuditEvent>[]> {
        const where = { orgId: organization.id, query, ...extent, most: MAX_EXPORTED };
        const present = presenter(caller);
        let judgedAt = performance.now();
        for await (const rows of newestFirst(read, where)) {
          if (performance.now() - judgedAt >= JUDGED_EVERY_MS) {
            await requireReader(read, await identify(), name);
            judgedAt = performance.now();
          }
          yield await present(rows);
        }
      }
      const date = timestamp(clock.now()).slice(0, 10);
      return { fileName: `audit-log-${organization.name}-${date}.json`, batches: batches() };
    },

    async list(
      caller: Caller,
      name: string,
      { q, cursor, limit }: { q?: string | undefined; cursor?: string | undefined; limit: number },
    ): Promise<PageOf<AuditEvent>> {
      const query = parseAuditQuery(q);
      const after = cursor === undefined ? undefined : Number(keyFromCursor(cursor, /^[1-9]\d{0,14}$/)[0]);
      const { id: orgId } = await requireReader(read, caller, name);
      const found: StoredEvent[] = [];
      const { from, below: end } = await extentOf(orgId);
      const below = Math.min(after ?? Number.POSITIVE_INFINITY, end);
      for await (const rows of newestFirst(read, { orgId, query, from, below, most: limit + 1 })) found.push(...rows);
      const { items, next } = pageFrom(found, limit, (row) => String(row.seq));
      return { items: (await presenter(caller)(items)).map(parseJson), next };
    },

    async head(caller: Caller, name: string): Promise<AuditHead> {
      const { id } = await requireReader(read, caller, name);
      const [first = null, last = null] = await Promise.all([chainStart(read, id), chainEnd(read, id)]);
      return { first, last };
    },
  };
}
