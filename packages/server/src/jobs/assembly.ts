import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AuditLog } from '../audit-log/index.ts';
import type { Clock } from '../platform/clock.ts';
import { IN_MEMORY } from '../platform/database/sqlite.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Ids } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';
import type { Care } from '../platform/queue/care.ts';
import type { SetAside } from '../platform/queue/dead-letters.ts';
import type { SharedNudge } from '../platform/queue/nudge.ts';
import type { Signals } from '../platform/queue/signals.ts';
import type { SecretBox } from '../platform/secrets.ts';
import { createStep } from './execution/attempts.ts';
import { createFollowOrganizations } from './execution/follow-organizations.ts';
import { createFollowUsers } from './execution/follow-users.ts';
import { createLaunching } from './execution/launch.ts';
import { createPruneJobs } from './execution/prune.ts';
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

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly secretBox: SecretBox;
  readonly audit: AuditLog;
  /** In the place of the one that the settings name. */
  readonly runner?: Runner | undefined;
  readonly dataDir: string;
  /** Tells what belongs to this hub from what belongs to others. */
  readonly mark: string;
  readonly nudge: SharedNudge;
  /** Tells streams of jobs that have news. */
  readonly signals: Signals;
  readonly setAside: SetAside;
  readonly care: Care;
  /** Whether this process is the one that runs jobs, of all that share the database. */
  readonly hold: () => Promise<boolean>;
  readonly settings: {
    readonly runner: 'process' | 'docker' | 'kubernetes' | 'none';
    readonly images: readonly string[];
    readonly volumesDir: string | undefined;
    readonly docker: {
      readonly url: string;
      readonly certificates: string | undefined;
      readonly network: string;
      readonly readOnlyRoot: boolean;
      readonly pidsLimit: number;
    };
    /** The document of the runner `kubernetes`, or its path. */
    readonly kubernetes: string | undefined;
    readonly maxRunning: number;
    readonly maxRunningPerOwner: number;
    readonly maxTimeoutSeconds: number;
    readonly maxAttempts: number;
    readonly logMebibytes: number;
    readonly days: number;
  };
}

/** An engine keeps more of the output than the log, which is read while it is written. */
const outputMebibytes = (logMebibytes: number): number => Math.max(64, 4 * logMebibytes);

function runnerOf({ settings, dataDir, clock, logger, mark, nudge }: Dependencies): Runner {
  if (settings.runner === 'none') return noRunner;
  const { images, volumesDir, docker, kubernetes = '', maxTimeoutSeconds, logMebibytes } = settings;
  if (settings.runner === 'docker')
    return createDockerRunner({
      engine: docker,
      ...{ hub: mark, images, changed: nudge },
      policy: { ...docker, volumesDir, outputMebibytes: outputMebibytes(logMebibytes) },
    });
  if (settings.runner === 'kubernetes')
    return openKubernetes(kubernetes, { clock, logger, images, maxTimeoutSeconds, changed: nudge });
  const folder = dataDir === IN_MEMORY ? join(tmpdir(), `moonbase-${process.pid}`) : dataDir;
  return createProcessRunner({ folder: resolve(folder, 'jobs'), changed: nudge });
}

/** The parts of this slice, put together. */
export function createJobParts(given: Dependencies) {
  const { database, clock, ids, logger, secretBox, audit, settings, signals, setAside, care, hold } = given;
  const nudge = given.nudge.everywhere;
  const runner = given.runner ?? runnerOf(given);
  const limits = { timeoutSeconds: settings.maxTimeoutSeconds, attempts: settings.maxAttempts };
  const logLimit = limitOf(settings.logMebibytes);
  const launching = createLaunching({ clock, ids, secretBox, runner, limits, nudge });
  const streams = createJobStreams({ database, clock, runner, signals });
  const changed = (jobId: string) => signals.send([jobId]);
  const capture = createCapture({ database, clock, launching, runner, limit: logLimit });
  return {
    services: {
      jobs: createJobs({ database, clock, audit, launching, changed, nudge }),
      scheduledJobs: createScheduledJobs({ database, clock, ids, secretBox, audit, launching, nudge }),
      streams,
    },
    launchForWebhook: createWebhookLaunch({ database, launching }),
    followOrganizations: createFollowOrganizations({ clock, changed, nudge }),
    followUsers: createFollowUsers({ clock, changed, nudge }),
    prune: createPruneJobs({ clock, days: settings.days }),
    worker: createJobWorker({
      ...{ database, clock, logger, runner, nudge: given.nudge, hold },
      places: { inAll: settings.maxRunning, perOwner: settings.maxRunningPerOwner },
      step: createStep({ database, clock, runner, launching, capture, limits, logLimit, changed }),
      ...{ setAside, care },
      launchDue: createLaunchDue({ database, clock, logger, launching, setAside, care }),
    }),
    closeStreams: streams.close,
  };
}
