import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { FindPrincipal } from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import type { Buckets } from '../buckets/index.ts';
import type { ContentParts } from '../content/index.ts';
import type { Clock } from '../platform/clock.ts';
import { IN_MEMORY } from '../platform/database/sqlite/sqlite.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Ids } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';
import type { CrashGuard } from '../platform/queue/crash-guard/crash-guard.ts';
import type { SetAside } from '../platform/queue/dead-letters.ts';
import type { SharedNudge } from '../platform/queue/nudge.ts';
import type { Signals } from '../platform/queue/signals.ts';
import type { SecretBox } from '../platform/secrets.ts';
import { createAdmission } from './execution/admission.ts';
import { createJobAuthority } from './execution/authority.ts';
import { createBeginAttempt } from './execution/begin-attempt.ts';
import { createFollowOrganizations } from './execution/follow-organizations.ts';
import { createFollowUsers } from './execution/follow-users.ts';
import { createLaunching } from './execution/launch.ts';
import { createPruneJobs } from './execution/prune.ts';
import { createStep } from './execution/step.ts';
import { createStepFailures } from './execution/step-failures.ts';
import { createTransitions } from './execution/transitions.ts';
import { createWebhookLaunch } from './execution/webhook-launch.ts';
import { createJobWorker } from './execution/worker.ts';
import { createCapture } from './logs/capture.ts';
import { logLimit as limitOf } from './logs/store.ts';
import { createJobStreams } from './logs/streams.ts';
import { createDockerRunner } from './runners/docker/docker-runner.ts';
import { openKubernetes } from './runners/kubernetes/open.ts';
import { noRunner } from './runners/no-runner.ts';
import { createProcessRunner } from './runners/process/process-runner.ts';
import type { Runner } from './runners/runner.ts';
import { createJobs } from './runs/service.ts';
import { createLaunchDue } from './schedules/launch-due.ts';
import { createScheduledJobs } from './schedules/service.ts';
import { createCheckouts, createReadBack } from './volumes/checkouts.ts';
import { createVolumeFiles } from './volumes/volume-files.ts';
import { withCheckouts } from './volumes/with-checkouts.ts';
import { createWriters } from './volumes/writers.ts';

/** The folder for jobs inside the data folder. */
export const JOBS_FOLDER = 'jobs';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly secretBox: SecretBox;
  readonly audit: AuditLog;
  /** Replaces the runner that the settings name. */
  readonly runner?: Runner | undefined;
  readonly contents: Pick<ContentParts, 'commitOf' | 'checkOut'>;
  readonly bucketFolders: Buckets['folders'];
  readonly principalOf: FindPrincipal;
  /** Returns the address of the hub. */
  readonly address: () => string;
  readonly dataDir: string;
  /** Marks the containers of this hub among those of other hubs on the same engine. */
  readonly mark: string;
  readonly nudge: SharedNudge;
  /** Wakes the streams of a job whose state, events or log have changed. */
  readonly signals: Signals;
  readonly setAside: SetAside;
  readonly crashGuard: CrashGuard;
  /** Returns whether this process, of all that share the database, runs the jobs. */
  readonly isLeader: () => Promise<boolean>;
  readonly settings: {
    readonly runner: 'process' | 'docker' | 'kubernetes' | 'none';
    readonly images: readonly string[];
    readonly volumesDir: string | undefined;
    readonly checkoutGibibytes: number;
    readonly docker: {
      readonly url: string;
      readonly certificates: string | undefined;
      readonly network: string;
      readonly readOnlyRoot: boolean;
      readonly pidsLimit: number;
    };
    /** The settings of the Kubernetes runner, as a JSON document or the path of one. */
    readonly kubernetes: string | undefined;
    readonly maxRunning: number;
    readonly maxRunningPerOwner: number;
    readonly maxTimeoutSeconds: number;
    readonly maxAttempts: number;
    readonly logMebibytes: number;
    readonly days: number;
  };
}

/**
 * Returns how much output an engine keeps: more than the log limit, because the hub reads output while it is written.
 */
const outputMebibytes = (logMebibytes: number): number => Math.max(64, 4 * logMebibytes);

function runnerOf({ settings, dataDir, clock, logger, mark, nudge }: Dependencies): Runner {
  if (settings.runner === 'none') return noRunner;
  const { images, volumesDir, docker, kubernetes = '', maxTimeoutSeconds, logMebibytes } = settings;
  if (settings.runner === 'docker')
    return createDockerRunner({
      engine: docker,
      ...{ hub: mark, images, volumesDir, onChange: nudge },
      policy: { ...docker, outputMebibytes: outputMebibytes(logMebibytes) },
    });
  if (settings.runner === 'kubernetes')
    return openKubernetes(kubernetes, { clock, logger, images, maxTimeoutSeconds, onChange: nudge });
  const folder = dataDir === IN_MEMORY ? join(tmpdir(), `moonbase-${process.pid}`) : dataDir;
  return createProcessRunner({ folder: resolve(folder, JOBS_FOLDER), onChange: nudge });
}

/** Returns what writes volumes into folders that containers mount; other engines mount folders that the operator fills. */
function volumeFilesOf({ database, contents, bucketFolders, principalOf, address, runner, settings }: Dependencies) {
  const { volumesDir: directory, checkoutGibibytes } = settings;
  if (directory === undefined || (settings.runner !== 'docker' && !runner)) return undefined;
  const { read } = database;
  const volumeFiles = createVolumeFiles({
    ...{ read, contents, folders: bucketFolders, writers: createWriters({ read, principalOf, address }) },
    maxBytes: checkoutGibibytes * 1024 ** 3,
  });
  return { ...volumeFiles, checkouts: createCheckouts(directory, volumeFiles) };
}

/** Assembles the parts of this slice. */
export function createJobParts(given: Dependencies) {
  const { database, clock, ids, logger, secretBox, audit, settings, signals, setAside, crashGuard, isLeader } = given;
  const nudge = given.nudge.everywhere;
  const engine = given.runner ?? runnerOf(given);
  const volumeFiles = volumeFilesOf(given);
  const runner = volumeFiles ? withCheckouts(engine, volumeFiles.checkouts) : engine;
  const limits = { timeoutSeconds: settings.maxTimeoutSeconds, attempts: settings.maxAttempts };
  const logLimit = limitOf(settings.logMebibytes);
  const launching = createLaunching({ clock, ids, secretBox, runner, volumeFiles, limits, nudge });
  const streams = createJobStreams({ database, clock, runner, signals });
  const onChange = (jobId: string) => signals.send([jobId]);
  const capture = createCapture({ database, clock, launching, runner, limit: logLimit });
  const transitions = createTransitions({ database, clock, limits, logLimit, note: runner.note, onChange });
  const authorityOf = createJobAuthority(given.principalOf);
  const beginAttempt = createBeginAttempt({ database, runner, launching, transitions, authorityOf });
  const places = { inAll: settings.maxRunning, perOwner: settings.maxRunningPerOwner };
  return {
    services: {
      jobs: createJobs({ database, clock, audit, launching, onChange, nudge }),
      scheduledJobs: createScheduledJobs({ database, clock, ids, secretBox, audit, launching, nudge }),
      streams,
    },
    launchForWebhook: createWebhookLaunch({ database, launching, authorityOf }),
    followOrganizations: createFollowOrganizations({ clock, onChange, nudge }),
    followUsers: createFollowUsers({ clock, onChange, nudge }),
    prune: createPruneJobs({ clock, days: settings.days }),
    worker: createJobWorker({
      ...{ database, clock, runner, crashGuard, nudge: given.nudge, isLeader },
      admit: createAdmission({ database, clock, places }),
      step: createStep({
        ...{ clock, runner, capture, transitions, beginAttempt, onChange },
        readBack: createReadBack({ read: database.read, checkouts: volumeFiles?.checkouts }),
      }),
      failures: createStepFailures({ database, clock, logger, setAside }),
      launchDue: createLaunchDue({ database, clock, logger, launching, authorityOf, setAside, crashGuard }),
    }),
    closeStreams: streams.close,
  };
}
