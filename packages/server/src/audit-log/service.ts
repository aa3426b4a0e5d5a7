import type { AuditEventType, SiteEventType } from '@moonbase/contract/audit-log/event-types';
import type { AuditEvent, AuditHead, SiteAuditEvent } from '@moonbase/contract/audit-log/events';
import { type Clock, timestamp } from '../platform/clock.ts';
import type { Database, ReadExecutor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { keyFromCursor, type PageOf, pageFrom } from '../platform/http/pagination.ts';
import { type JsonText, parseJson } from '../platform/stored-form.ts';
import type { Directory } from './directory.ts';
import { createPresenter } from './present.ts';
import { parseAuditQuery } from './query.ts';
import { newestFirst } from './scan.ts';
import { chainEnd, chainStart, type StoredEvent } from './store.ts';

/** The maximum number of events in an export (specification, Limits). */
const MAX_EXPORTED = 100_000;
const JUDGED_EVERY_MS = 1_000;

/** Returns the organization whose log a caller may read; throws otherwise. Implemented by access. */
export type RequireReader = (
  executor: ReadExecutor,
  caller: Caller,
  name: string,
) => Promise<{ readonly id: string; readonly name: string }>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  /** The types of events in the log. */
  readonly types: readonly (AuditEventType | SiteEventType)[];
  readonly requireReader: RequireReader;
  readonly directory: Directory;
}

export type AuditReading<Event extends AuditEvent | SiteAuditEvent> = ReturnType<typeof createAuditReading<Event>>;

/** Reads the audit logs of organizations, or that of the hub. */
export function createAuditReading<Event extends AuditEvent | SiteAuditEvent>({
  database: { read },
  clock,
  types,
  requireReader,
  directory,
}: Dependencies) {
  const presenter = ({ baseUrl }: Caller) => createPresenter<Event>({ executor: read, baseUrl, directory });

  /** Returns the range of a log, from its first to behind its last event. */
  async function extentOf(orgId: string): Promise<{ from: number; below: number }> {
    const [first, last] = await Promise.all([chainStart(read, orgId), chainEnd(read, orgId)]);
    return { from: first?.seq ?? 1, below: (last?.seq ?? 0) + 1 };
  }

  return {
    /**
     * Exports the newest 100,000 matching events in batches, with a file name. The caller's rights are checked again
     * each second, and the export ends when they are lost.
     */
    async export(caller: Caller, name: string, q: string | undefined, identify: () => Promise<Caller>) {
      const query = parseAuditQuery(q, types);
      const organization = await requireReader(read, caller, name);
      const extent = await extentOf(organization.id);
      async function* batches(): AsyncGenerator<JsonText<Event>[]> {
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
    ): Promise<PageOf<Event>> {
      const query = parseAuditQuery(q, types);
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
