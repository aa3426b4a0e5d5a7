import { tmpdir } from 'node:os';
import type { LargeFiles } from '../content/index.ts';
import type { Clock } from '../platform/clock.ts';
import { IN_MEMORY } from '../platform/database/sqlite/sqlite.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Ids } from '../platform/ids.ts';
import type { WarningLogger } from '../platform/logger.ts';
import { createAddressGuard } from '../platform/outbound/address-guard.ts';
import { createGuardedStreams } from '../platform/outbound/guarded-streams.ts';
import type { RemoteFault } from '../platform/outbound/remote/fault.ts';
import type { Pace } from '../platform/outbound/remote/pace.ts';
import { VERSION } from '../platform/version.ts';
import { createAnswers } from './facts/answers.ts';
import { createCapacity } from './facts/capacity.ts';
import { createUpstreamRepos } from './facts/repos.ts';
import { deleteLeftArrivals } from './files/arrival.ts';
import { createFetching } from './files/fetching.ts';
import { createNameRule, type NameRules } from './policy.ts';
import { createReading } from './reading.ts';
import { createUpstreamClient } from './remote/client.ts';
import { createPatience, type Outcome } from './remote/patience.ts';
import { createServing } from './serving.ts';

/** The logger, which also takes details for the operator who asks for them. */
interface UpstreamLogger extends WarningLogger {
  debug(details: object, message: string): void;
}

/** The settings of the upstream. */
export interface UpstreamSettings extends NameRules {
  readonly url: string;
  /** Must not be logged. */
  readonly token: string | undefined;
  readonly sharePrivate: boolean;
  readonly freshSeconds: number;
  readonly maxMebibytes: number;
}

/** Times of requests to the upstream, which tests shorten. */
export interface UpstreamTimes {
  readonly headersMs: number;
  readonly stallMs: number;
  /** The deadline for an answer of the API, and for the beginning of a large file: clients wait 10 s. */
  readonly answerMs: number;
  /** How long a caller waits for news about something that is kept. */
  readonly waitMs: number;
  /** How long a large file goes on arriving while no client reads it. */
  readonly lingerMs: number;
  readonly pace: Pace;
}

const TIMES: UpstreamTimes = {
  ...{ headersMs: 30_000, stallMs: 30_000, answerMs: 8_000, waitMs: 2_000, lingerMs: 300_000 },
  pace: { minBytes: 256 * 1024, windowMs: 60_000 },
};

/** Called for metrics. */
export interface UpstreamCounts {
  readonly onOutcome: (outcome: Outcome) => void;
  readonly onFile: (source: 'kept' | 'arriving' | 'fetched') => void;
  readonly onBytes: (what: 'fetched' | 'served', bytes: number) => void;
}

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: UpstreamLogger;
  readonly largeFiles: LargeFiles;
  readonly settings: UpstreamSettings;
  readonly dataDir: string;
  readonly counts: UpstreamCounts;
  /** The addresses that the upstream may redirect to in addition to public ones. */
  readonly outbound: { readonly allow: readonly string[]; readonly allowLoopback: boolean };
  readonly times?: Partial<UpstreamTimes> | undefined;
}

const MEBIBYTE = 1024 * 1024;
/** As many as there are files on their way at once. */
const MAX_CONNECTIONS = 24;
/** The operator has chosen the address of the upstream, so it may be anywhere. */
const EVERYWHERE = { allow: ['0.0.0.0/0', '::/0'], allowLoopback: true };

export type Upstream = ReturnType<typeof createUpstream>;

/** Assembles the services of this slice. */
export function createUpstream({ settings, dataDir, counts, outbound, ...given }: Dependencies) {
  const { database, clock, ids, logger, largeFiles } = given;
  const { pace, headersMs, stallMs, answerMs, waitMs, lingerMs } = { ...TIMES, ...given.times };
  const { url, token } = settings;
  const bounds = { headersMs, stallMs, connections: MAX_CONNECTIONS };
  const everywhere = createAddressGuard(EVERYWHERE);
  const questions = createGuardedStreams({ ...bounds, guard: everywhere });
  const files = createGuardedStreams({ ...bounds, guard: everywhere });
  const others = createGuardedStreams({
    ...{ ...bounds, guard: createAddressGuard(outbound) },
    onNameRefused: (host, reason) => logger.debug({ host, reason }, 'a name has no public address'),
  });
  const client = createUpstreamClient({
    ...{ questions, files, others, url, token, answerMs, agent: `moonbase/${VERSION}` },
  });
  const patience = createPatience({
    ...{ clock, waitMs, onOutcome: counts.onOutcome },
    onFault: (err: RemoteFault) => logger.warn({ err }, 'the upstream did not give what was asked for'),
  });
  const capacity = createCapacity({ read: database.read, clock });
  const parts = { database, clock, ids, client, patience, capacity };
  const folder = dataDir === IN_MEMORY ? tmpdir() : dataDir;
  const freshMs = settings.freshSeconds * 1000;
  const repos = createUpstreamRepos({ ...parts, freshMs, readsGated: settings.sharePrivate });
  const answers = createAnswers({ ...parts, repos });
  const fetching = createFetching({
    ...{ database, clock, logger, client, patience, largeFiles, pace, beginMs: answerMs, lingerMs },
    ...{ maxBytes: settings.maxMebibytes * MEBIBYTE, folder },
    ...{ onFile: counts.onFile, onFetched: (bytes) => counts.onBytes('fetched', bytes) },
  });
  const serve = createServing({ answers, files: fetching, onServed: (bytes) => counts.onBytes('served', bytes) });
  return {
    insteadOf: createReading({
      ...{ read: database.read, ruleOf: createNameRule(settings), sharePrivate: settings.sharePrivate },
      ...{ repos, answers, serve },
    }),

    /** Deletes what a killed process left of files on their way. */
    begin: () => deleteLeftArrivals(folder),

    /** Ends what is on its way, and the connections. */
    async close(): Promise<void> {
      await fetching.close();
      await Promise.all([questions, files, others].map((each) => each[Symbol.asyncDispose]()));
    },
  };
}
