import { formerHash, linkHash, NO_HASH, type Sealed, sealedText } from '@moonbase/server/audit-chain';

/** The maximum number of events in an export; the oldest events of a longer log are missing. */
const MAX_EXPORTED = 100_000;

interface Linked extends Sealed {
  readonly seq: number;
  readonly prevHash: string;
  readonly hash: string;
}

/** The verdict on an export without faults. */
export interface Intact {
  readonly faults: readonly [];
  readonly events: number;
  readonly first: number;
  readonly last: number;
  /** The last event that the given head proves unchanged; null without a head. */
  readonly proved: number | null;
  /** The number of events after the proved one. */
  readonly later: number;
  /** The last event of the first version of the chain, whose hashes do not cover every field. */
  readonly partlyHashed: number | null;
}

export type Verdict = { readonly faults: readonly string[] } | Intact;

/**
 * Verifies an export of a whole audit log, newest first. The chain of hashes shows that the log is consistent; `head`,
 * the hash of an event that was recorded earlier, proves that nothing up to that event was changed, removed, added or
 * moved. A log that is `pruned` by age may begin with any event, and nothing is known about the earlier ones.
 */
export function verifyExport(events: unknown, head?: string, pruned = false): Verdict {
  if (!Array.isArray(events))
    return { faults: ['The file is not an export of an audit log, which must be a JSON array'] };
  const broken = events.findIndex((event) => !isLinked(event));
  if (broken >= 0) return { faults: [`Entry ${broken + 1} of the file is not an event of an audit log`] };
  const log: readonly Linked[] = events;
  const at = head === undefined ? 0 : log.findIndex((event) => event.hash === head);
  const faults = [
    ...log.flatMap(faultsOf),
    ...(pruned ? [] : startFaults(log)),
    ...(at < 0 ? ['The event with the given hash is missing: the log was truncated or rewritten'] : []),
  ];
  const [last] = log;
  if (faults.length > 0) return { faults };
  return {
    ...{ faults: [], events: log.length, first: log.at(-1)?.seq ?? 0, last: last?.seq ?? 0, later: at },
    proved: head === undefined ? null : (log[at]?.seq ?? 0),
    partlyHashed: log.find((event) => event.hash === formerHash(event.prevHash, event))?.seq ?? null,
  };
}

function faultsOf(event: Linked, at: number, log: readonly Linked[]): string[] {
  const faults: string[] = [];
  const hashes = [linkHash(event.prevHash, sealedText(event)), formerHash(event.prevHash, event)];
  if (!hashes.includes(event.hash)) faults.push(`Event ${event.seq} was changed`);
  const older = log[at + 1];
  if (older && (older.seq !== event.seq - 1 || older.hash !== event.prevHash))
    faults.push(
      `Event ${event.seq} does not follow event ${older.seq}: something is missing, moved or changed between them`,
    );
  return faults;
}

/**
 * Returns the faults of the oldest event: a log begins with seq 1 and no hash, unless the export has the maximum
 * length.
 */
function startFaults(log: readonly Linked[]): string[] {
  const oldest = log.at(-1);
  if (!oldest) return [];
  if (oldest.seq === 1) return oldest.prevHash === NO_HASH ? [] : ['Event 1 was changed: there is something before it'];
  if (oldest.prevHash !== NO_HASH && log.length === MAX_EXPORTED) return [];
  return [`The events before event ${oldest.seq} are missing`];
}

function isLinked(value: unknown): value is Linked {
  if (!isObject(value)) return false;
  const { author, token, seq } = value;
  return (
    ['_id', 'createdAt', 'type', 'message', 'prevHash', 'hash'].every((key) => typeof value[key] === 'string') &&
    (value.ip === undefined || typeof value.ip === 'string') &&
    Number.isSafeInteger(seq) &&
    Number(seq) > 0 &&
    isObject(author) &&
    typeof author._id === 'string' &&
    typeof author.user === 'string' &&
    (token === undefined || (isObject(token) && typeof token.id === 'string'))
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
