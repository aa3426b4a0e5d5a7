import {
  createAdmin,
  createAdminLists,
  createDeadLetters,
  createListSettings,
  createNewUser,
  createRetention,
} from './admin/index.ts';
import type { Config } from './config.ts';
import type { Infrastructure } from './infrastructure.ts';
import { createDeleteUser, createErase } from './members/index.ts';
import type { Metrics } from './metrics.ts';
import { createOauthParts, isOauthToken, isPublisherToken } from './oauth/index.ts';
import type { Credential } from './platform/http/authenticate.ts';
import type { Traces } from './platform/tracing/traces.ts';
import { createAccountQuotas } from './quotas/index.ts';
import { createScim } from './scim/index.ts';
import { createAuditReadings } from './services/audit-readings.ts';
import { createContent } from './services/content.ts';
import { createFoundation, type ServiceOverrides } from './services/foundation.ts';
import { createOutlets } from './services/outlets.ts';
import { createOutsideFaults } from './services/outside-faults.ts';
import { createPeople } from './services/people.ts';
import { createExports } from './services/personal-data.ts';
import { createSingleSignOn } from './single-sign-on/index.ts';

export type { ServiceOverrides };

interface Surroundings {
  readonly metrics: Metrics;
  readonly traces: Traces;
  /** Returns the address of the hub, for mails and copies of the audit log. */
  readonly address: () => string;
}

export type Services = ReturnType<typeof createServices>;

/** Creates every service in dependency order: the layers first, then the services that act on all of them. */
export function createServices(
  config: Config,
  overrides: ServiceOverrides,
  infrastructure: Infrastructure,
  { metrics, traces, address }: Surroundings,
) {
  const { clock, logger, database } = infrastructure;
  const foundation = createFoundation(config, overrides, infrastructure, traces);
  const people = createPeople(config, overrides, infrastructure, foundation, {
    onJoin: (...who) => scim.rejoin(...who),
    onRoleRebased: (...change) => scim.roleSync.followRebasedRole(...change),
  });
  const content = createContent(config, overrides, infrastructure, foundation, people, { authenticate, metrics });
  const given = { foundation, people, content, metrics, traces, address };
  const outlets = createOutlets(config, overrides, infrastructure, given);
  const { ids, events, tasks, audit, callers } = foundation;
  const { accounts, disabling, memberships, memberTokens, invitations } = people;
  const { repositories, spaces, papers, posts } = content;
  const erase = createErase({ repositories, posts, memberships, events, audit, callers });
  const scim = createScim({
    ...{ database, clock, ids, events, tasks, audit, accounts, disabling, memberships, invitations, erase },
    warn: (details, message) => logger.warn(details, message),
  });
  const oauth = createOauthParts({
    ...{ database, clock, ids, accounts, events, audit, secretBox: infrastructure.secretBox, callers },
    ...{ cutOffs: people.tokenRules, onTokenCreated: memberTokens.onTokenCreated, logger, settings: config },
  });
  const singleSignOn = createSingleSignOn({
    ...{ database, clock, ids, accounts, memberships, audit, events, secretBox: infrastructure.secretBox },
    ...{ signIn: people.signIn, settings: config },
    warn: (details, message) => logger.warn(details, message),
  });
  const quotas = createAccountQuotas({ database, clock, audit, settings: config });
  const admin = createAdmin({
    ...{ database, accounts, callers, memberships, repositories, spaces, papers, posts, audit, erase },
    ...{ putFiles: content.contents.putFiles, quotas },
  });
  /** Resolves a session, an access token or a token of an application to its user, with one read each. */
  function authenticate(credential: Credential) {
    if (credential.kind === 'session') return people.signIn.sessions.authenticate(credential.secret);
    const { text } = credential;
    return (isOauthToken(text) || isPublisherToken(text) ? oauth : accounts).authenticate(text);
  }
  return {
    ...foundation,
    ...outlets,
    markdown: content.markdown,
    largeFiles: content.largeFiles,
    largeFileUpkeep: content.largeFileUpkeep,
    xetConverting: content.xet.converting,
    gitUpkeep: content.contents.gitUpkeep,
    gitChanges: content.contents.gitChanges,
    cards: content.cards,
    insteadOf: content.insteadOf,
    downloads: content.downloads,
    /** Repairs the refs of repositories on the disk. */
    async repairRefs(isEnding: () => boolean): Promise<void> {
      try {
        const repaired = await content.contents.repairRefs(isEnding);
        if (repaired > 0)
          logger.warn({ repaired }, 'refs on the disk did not match the database and were written anew');
      } catch (error) {
        if (!isEnding()) logger.error({ err: error }, 'the refs on the disk could not be compared with the database');
      }
    },
    beginContent: () => Promise.all([content.contents.begin(), content.upstream?.begin()]),
    outsideFaults: createOutsideFaults({ config, singleSignOn }),
    settleGit: () => content.contents.settle(),
    accounts,
    signIn: people.signIn,
    authenticate,
    /** The services that routes call. */
    api: {
      ...people,
      ...content,
      unsubscribing: outlets.unsubscribing,
      notifications: outlets.notifications.services,
      jobs: outlets.jobs.services,
      webhooks: outlets.webhooks.services,
      mirrors: outlets.mirrors.services,
      deleteUser: createDeleteUser({ database, erase }),
      personalData: createExports({ overrides, infrastructure, ...given, outlets, oauth, singleSignOn, quotas }),
      quotas,
      auditReadings: createAuditReadings(database, clock),
      oauth,
      scim,
      singleSignOn,
      admin,
      adminLists: createAdminLists({ database }),
      readRetention: createRetention({ database }, config),
      listSettings: createListSettings(config.settingsInForce),
      createUser: createNewUser({ database, accounts, audit }),
      deadLetters: createDeadLetters({ database, audit, logger, queues: foundation.deadLetterQueues }),
    },

    closeContent: () => Promise.all([content.xet.close(), content.upstream?.close()]),

    /** Ends the connections to OpenID providers and the threads that hash passwords. */
    closeSignIn: () => Promise.all([singleSignOn.close(), oauth.close(), people.signIn.close()]),

    /** Ends the open streams. */
    closeStreams(): void {
      for (const each of [outlets.notifications, outlets.jobs, outlets.webhooks, content.buckets]) each.closeStreams();
    },
  };
}
