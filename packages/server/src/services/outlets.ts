import { backup, backupFiles, pruneBackupFiles } from '../backup.ts';
import {
  createBackups,
  createBucketPlace,
  createFolderPlace,
  type PruneFiles,
  type WriteBackup,
} from '../backups/index.ts';
import type { Config } from '../config.ts';
import type { Infrastructure } from '../infrastructure.ts';
import { createJobParts } from '../jobs/index.ts';
import { createMailWorker, createUnsubscribing, queueThreadMails } from '../mail/index.ts';
import type { Metrics } from '../metrics.ts';
import { createMirrors } from '../mirrors/index.ts';
import { createNotificationParts } from '../notifications/index.ts';
import { createRest } from '../platform/cooperative.ts';
import { createSmtp } from '../platform/mail/smtp.ts';
import type { Traces } from '../platform/tracing/traces.ts';
import { vouchedAddresses } from '../scim/index.ts';
import { turnOff } from '../settings/index.ts';
import { linkUrl } from '../sign-in/index.ts';
import { createWebhookParts } from '../webhooks/index.ts';
import type { Content } from './content.ts';
import type { Foundation, ServiceOverrides } from './foundation.ts';
import type { People } from './people.ts';

export type Outlets = ReturnType<typeof createOutlets>;

interface OutletContext {
  readonly foundation: Foundation;
  readonly people: People;
  readonly content: Content;
  readonly metrics: Metrics;
  readonly traces: Traces;
  /** Returns the address of the hub, for links. */
  readonly address: () => string;
}

/**
 * Creates the services that reach users, receivers and remotes: mails, notifications, jobs, webhooks, mirrors and
 * backups.
 */
export function createOutlets(
  config: Config,
  overrides: ServiceOverrides,
  { clock, logger, database, secretBox, signer, mark }: Infrastructure,
  { foundation, people: { accounts, secrets, signIn }, content, metrics, traces, address }: OutletContext,
) {
  const { ids, outbound, broadcast, nudges, events, tasks, jobSignals, setAside, crashGuard, processes, audit } =
    foundation;
  const { texts, contents } = content;
  const random = overrides.random ?? Math.random;
  const unsubscribing = createUnsubscribing({ database, signer, turnOff });
  const mails =
    config.mail &&
    createMailWorker({
      database,
      clock,
      logger,
      nudge: nudges.mails,
      texts,
      transport: createSmtp({ url: config.mail.smtpUrl, from: config.mail.from }),
      ...{ setAside, crashGuard, vouched: vouchedAddresses },
      from: config.mail.from,
      hubUrl: address,
      unsubscribeUrl: (userId, kind) => unsubscribing.url(address(), userId, kind),
      linkUrl: (nonce) => linkUrl(address(), signIn.mailedLinks.codeFrom(nonce)),
      invitationUrl: (invitation) => secrets.linkOf(address(), invitation),
    });
  const notifications = createNotificationParts({
    vouched: vouchedAddresses,
    ...{ database, clock, ids, texts, join: broadcast.join, settings: config },
    queueMails: config.mail && queueThreadMails,
  });
  const jobs = createJobParts({
    ...{ database, clock, ids, logger, secretBox, audit, contents, nudge: nudges.jobs, settings: config.jobs },
    ...{ bucketFolders: content.buckets.folders, principalOf: accounts.principalOf, address },
    ...{ dataDir: config.dataDir, mark, runner: overrides.runner, signals: jobSignals, setAside, crashGuard },
    isLeader: async () => (await foundation.leaderElection.acquire(['jobs'])).size === 0,
  });
  const webhooks = createWebhookParts({
    ...{ database, clock, ids, logger, events, tasks, secretBox, outbound, metrics, traces, setAside, crashGuard },
    processes,
    ...{ nudge: nudges.deliveries, join: broadcast.join, settings: config },
    random,
    launch: jobs.launchForWebhook,
  });
  const mirrors = createMirrors({
    ...{ database, clock, ids, logger, secretBox, audit, random, address, nudge: nudges.mirrors },
    ...{ principalOf: accounts.principalOf, settings: config.mirrors, times: overrides.remoteTimes },
    ...{ contents: content.contents, largeFiles: content.largeFiles, git: content.git },
    outbound: { allow: config.outboundAllow, allowLoopback: config.developmentMode },
  });
  const backups =
    config.backups &&
    createBackups({
      ...{ database, clock, ids, logger, onFailed: metrics.backupFailed },
      ...{ settings: config.backups, place: placeOf(config.backups.target) },
      ...{ write: writerOf(config), pruneFiles: prunerOf(config.backups) },
    });
  return { unsubscribing, mails, notifications, jobs, webhooks, mirrors, backups };
}

type Backups = NonNullable<Config['backups']>;

const placeOf = (target: Backups['target']) =>
  'folder' in target ? createFolderPlace(target.folder) : createBucketPlace(target.s3, target.prefix);

/** Returns the writer of backups: what the command does, with a rest between the pieces. */
const writerOf =
  (config: Config): WriteBackup =>
  async ({ output, partial, signal }) => {
    const rest = createRest(signal);
    const withFiles = partial !== undefined && config.backups?.files === true;
    const { rows } = await backup(config, output, { withFiles, progress: rest });
    if (!withFiles) return { rows, faulty: [] };
    const { faulty } = await backupFiles(config, partial, rest, signal);
    return { rows, faulty };
  };

const prunerOf =
  ({ target, files }: Backups): PruneFiles =>
  async (signal) =>
    'folder' in target && files ? await pruneBackupFiles(target.folder, createRest(signal)) : { files: 0, bytes: 0 };
