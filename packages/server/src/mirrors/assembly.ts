import type { FindPrincipal } from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import type { ContentParts, LargeFiles } from '../content/index.ts';
import type { Git } from '../git/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Ids } from '../platform/ids.ts';
import { createAddressGuard, createAllowList } from '../platform/outbound/address-guard.ts';
import { createGuardedStreams } from '../platform/outbound/guarded-streams.ts';
import { createLeases } from '../platform/queue/leases.ts';
import type { SharedNudge } from '../platform/queue/nudge.ts';
import type { SecretBox } from '../platform/secrets.ts';
import { VERSION } from '../platform/version.ts';
import { createMirrorAudit } from './audit.ts';
import { createMirrorOversight } from './oversight.ts';
import { createRemotes, type RemoteLimits } from './remote/client.ts';
import type { MirrorSettings } from './requirements.ts';
import { createMirrorVerbs } from './service.ts';
import { createAuthority } from './syncing/authority.ts';
import type { MirrorLogger } from './syncing/running-syncs.ts';
import { createSync } from './syncing/sync.ts';
import { createMirrorWorker } from './syncing/worker.ts';

/** Times of requests to remotes, which tests shorten. */
export interface RemoteTimes extends RemoteLimits {
  readonly headersMs: number;
  readonly stallMs: number;
}

const TIMES = { headersMs: 120_000, stallMs: 60_000 };

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: MirrorLogger;
  readonly secretBox: SecretBox;
  readonly audit: AuditLog;
  readonly random: () => number;
  readonly principalOf: FindPrincipal;
  readonly contents: Pick<ContentParts, 'openObjects'>;
  readonly largeFiles: LargeFiles;
  readonly git: Pick<Git, 'pushMirrored'>;
  /** Returns the address of the hub. */
  readonly address: () => string;
  readonly nudge: SharedNudge;
  readonly settings: MirrorSettings & { readonly maxSyncs: number };
  /** The addresses that remotes may have in addition to public ones. */
  readonly outbound: { readonly allow: readonly string[]; readonly allowLoopback: boolean };
  readonly times?: Partial<RemoteTimes> | undefined;
}

export type Mirrors = ReturnType<typeof createMirrors>;

/** Assembles the services of this slice. */
export function createMirrors({ outbound, times, ...given }: Dependencies) {
  const { database, clock, ids, logger, audit, nudge, git } = given;
  const streams = createGuardedStreams({
    guard: createAddressGuard(outbound),
    guardInTheClear: createAllowList(outbound),
    ...{ ...TIMES, ...times },
    onNameRefused: (host, reason) => logger.debug({ host, reason }, 'a name has no public address'),
  });
  const leases = createLeases({ database, clock, owner: ids() });
  const sync = createSync({
    ...given,
    pushMirrored: git.pushMirrored,
    openRemote: createRemotes({ streams, agent: `moonbase/${VERSION}`, limits: times }),
    requireCaller: createAuthority(given),
  });
  const record = createMirrorAudit(audit);
  return {
    /** The verbs that routes call. */
    services: {
      ...createMirrorVerbs({ ...given, record, nudge: nudge.everywhere }),
      ...createMirrorOversight({ database, clock, record }),
    },
    worker: createMirrorWorker({ ...given, leases, sync }),

    /** Closes connections and ends leases; to be called when no sync is running. */
    async close(): Promise<void> {
      await streams[Symbol.asyncDispose]();
      await leases.releaseAll();
    },
  };
}
