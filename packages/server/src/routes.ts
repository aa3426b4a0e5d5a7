import { DESCRIPTION, TAGS } from '@moonbase/contract/document';
import { Job } from '@moonbase/contract/jobs/jobs';
import * as contract from '@moonbase/contract/service';
import { customRoleRoutes } from './access/index.ts';
import { accountNameFault, accountRoutes } from './accounts/index.ts';
import { adminRoutes, type ReadHubStatus } from './admin/index.ts';
import { auditLogRoutes } from './audit-log/index.ts';
import { avatarRoutes } from './avatars/index.ts';
import { bucketRoutes } from './buckets/index.ts';
import { cardRoutes } from './cards/index.ts';
import { catalogRoutes } from './catalog/index.ts';
import { collectionRoutes } from './collections/index.ts';
import { contentRoutes } from './content/index.ts';
import { discussionRoutes } from './discussions/index.ts';
import { gitRoutes } from './git/index.ts';
import { jobRoutes } from './jobs/index.ts';
import { lfsRoutes } from './lfs/index.ts';
import { likeRoutes } from './likes/index.ts';
import { mailRoutes } from './mail/index.ts';
import { memberRoutes } from './members/index.ts';
import type { Metrics } from './metrics.ts';
import { mirrorRoutes } from './mirrors/index.ts';
import { notificationRoutes } from './notifications/index.ts';
import { oauthRoutes } from './oauth/index.ts';
import { organizationRoutes } from './organizations/index.ts';
import { paperRoutes } from './papers/index.ts';
import { personalDataRoutes } from './personal-data/index.ts';
import { Answer, rawAnswer } from './platform/http/answer.ts';
import { openApiDocument } from './platform/http/openapi.ts';
import { answersWithDocument } from './platform/http/openapi-answer.ts';
import type { Routes } from './platform/http/route.ts';
import { postRoutes } from './posts/index.ts';
import { profileRoutes } from './profiles/index.ts';
import { quickSearchRoutes } from './quick-search/index.ts';
import { quotaRoutes } from './quotas/index.ts';
import { repositoryRoutes } from './repositories/index.ts';
import { resourceGroupRoutes } from './resource-groups/index.ts';
import { scimRoutes } from './scim/index.ts';
import type { Services } from './services.ts';
import { settingsRoutes } from './settings/index.ts';
import { signInRoutes } from './sign-in/index.ts';
import { singleSignOnRoutes } from './single-sign-on/index.ts';
import { spaceRoutes } from './spaces/index.ts';
import { watchingRoutes } from './watching/index.ts';
import { webhookRoutes } from './webhooks/index.ts';
import { xetRoutes } from './xet/index.ts';

interface Probes {
  /** Returns why the hub should receive no requests, if it should not. */
  readonly notReady: () => Promise<string | undefined>;
  readonly readMetrics: () => ReturnType<Metrics['read']>;
  readonly version: { readonly version: string; readonly schema: string };
}

/** Adds the routes of the hub, one line per capability. */
export function addRoutes(routes: Routes, services: Services['api'] & { readonly readStatus: ReadHubStatus }): void {
  serviceRoutes(routes);
  profileRoutes(routes, services);
  avatarRoutes(routes, services.avatars);
  accountRoutes(routes, services);
  signInRoutes(routes, services.signIn, services.singleSignOn.shown);
  singleSignOnRoutes(routes, services.singleSignOn);
  oauthRoutes(routes, services.oauth);
  organizationRoutes(routes, services.organizations);
  memberRoutes(routes, services);
  repositoryRoutes(routes, services.repositories);
  lfsRoutes(routes, services.lfs);
  gitRoutes(routes, services.git);
  mirrorRoutes(routes, services.mirrors);
  xetRoutes(routes, services.xet);
  bucketRoutes(routes, services.buckets);
  contentRoutes(routes, services.files);
  cardRoutes(routes, services.cards);
  likeRoutes(routes, services.likes);
  spaceRoutes(routes, services.spaces);
  catalogRoutes(routes, services.catalog);
  customRoleRoutes(routes, services.customRoles);
  resourceGroupRoutes(routes, services);
  discussionRoutes(routes, services.discussions);
  paperRoutes(routes, services);
  collectionRoutes(routes, services.collections);
  quickSearchRoutes(routes, services.quickSearch);
  postRoutes(routes, services.posts);
  watchingRoutes(routes, services.watching);
  settingsRoutes(routes, services);
  notificationRoutes(routes, services.notifications);
  jobRoutes(routes, services.jobs);
  webhookRoutes(routes, services.webhooks);
  mailRoutes(routes, services.unsubscribing);
  personalDataRoutes(routes, services.personalData);
  quotaRoutes(routes, services.quotas);
  auditLogRoutes(routes, services.auditReadings);
  scimRoutes(routes, services.scim);
  adminRoutes(routes, services);
}

/** The paths that every process serves, whatever its role. */
export const PROBES = '/health, /ready, /metrics and /api/version';

/** Adds the routes that report the state of a process. */
export function addProbes(routes: Routes, { notReady, version, readMetrics }: Probes): void {
  routes.add(contract.getHealth, () => ({ status: 'ok' as const }));
  routes.add(contract.getReady, async () => {
    const error = await notReady();
    return error === undefined
      ? { status: 'ok' as const }
      : new Answer({ status: 'not ready' as const, error }, { status: 503 });
  });
  routes.add(contract.getMetrics, async () => {
    const { text, type } = await readMetrics();
    return rawAnswer(text, { headers: { 'content-type': type, 'cache-control': 'no-store' } });
  });
  routes.add(contract.getVersion, () => version);
}

function serviceRoutes(routes: Routes): void {
  routes.add(contract.getAgentHarnesses, () => ({ standardEnvVars: [], harnesses: {} }));
  const answer = answersWithDocument(() =>
    openApiDocument(routes.declared(), { description: DESCRIPTION, tags: TAGS, beside: [Job] }),
  );
  routes.add(contract.getOpenApi, answer);
}

/** The pages of a repository: its root, folders, files, commits, forms, its branches and tags, its discussions and its settings. */
const REPO_PAGES = [
  ...['', '/tree/*', '/blob/*', '/commits/*', '/commit/:sha', '/upload/*', '/new/*', '/edit/*'],
  ...['/branches', '/discussions', '/settings', '/settings/access-requests'],
];

/** Whether a name is valid for a namespace, and is not a path of the hub. */
const isOfAccount = ({ namespace = '' }: { readonly namespace?: string | undefined }): boolean =>
  accountNameFault(namespace) === undefined;

/** The paths of the console's pages. The console itself reports objects that do not exist. */
export const CONSOLE_PAGES = [
  ...[
    '/',
    '/login',
    '/login/oidc/callback',
    '/login/oidc/:organization/callback',
    '/join',
    '/join/:code',
    '/docs',
    '/oauth/device',
    '/oauth/authorize',
  ],
  ...['inbox', 'webhooks', 'jobs', 'organizations', 'settings', 'papers', 'posts', 'blog'].flatMap((name) => [
    `/${name}`,
    `/${name}/*`,
  ]),
  // No deeper paths: the default site administrator is called `admin`, and its repositories have addresses below
  // /admin.
  ...['/admin', '/admin/users', '/admin/users/:name', '/admin/organizations', '/admin/organizations/:name'],
  ...['/admin/dead-letters', '/admin/retention', '/admin/settings'],
  // The addresses of discussions in notifications, mails and payloads.
  ...['', '/datasets', '/spaces', '/kernels'].flatMap((type) =>
    ['', '/files'].map((page) => `${type}/:namespace/:repo/discussions/:num${page}`),
  ),
  ...['/repositories', '/new', '/models', '/datasets', '/spaces', '/kernels'],
  '/buckets',
  ...['', '/tree/*', '/settings'].map((page) => ({
    path: `/buckets/:namespace/:repo${page}`,
    isPage: isOfAccount,
  })),
  ...['/collections', '/collections/new', '/collections/:namespace/:slug'],
  { path: '/:namespace', isPage: isOfAccount },
  ...['', '/datasets', '/spaces', '/kernels'].flatMap((type) =>
    REPO_PAGES.map((page) => ({ path: `${type}/:namespace/:repo${page}`, isPage: isOfAccount })),
  ),
];
