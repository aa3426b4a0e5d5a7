import { createCollection } from '@moonbase/client/collections';
import { createDiscussion } from '@moonbase/client/discussions';
import { createInvitation } from '@moonbase/client/invitations';
import { deleteOrganization } from '@moonbase/client/organizations';
import { createBucket, createRepo } from '@moonbase/client/repositories';
import { createResourceGroup } from '@moonbase/client/resource-groups';
import { openWebhookStream } from '@moonbase/client/webhook-streams';
import type { Method } from '@moonbase/contract/route';
import { allRoutes } from '@moonbase/contract/routes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Asked, ask } from './ask.ts';
import { person, startHub, type TestHub, tokenOf } from './harness.ts';
import { noteQueries } from './note-queries.ts';

/*
 * What somebody may not see is indistinguishable from what does not exist: by the response, by the queries, or by the
 * time taken. Each row names what is hidden from whom; every route that could reveal it is tried with it, and with a
 * name or id that does not exist.
 *
 * acme: ada is its admin, will writes, rita reads, nora has no access, gus is the admin of its group `dock`; only ada
 * sees what is in `lab`. kate is another reader. globex belongs to olga. `gone` was like acme and is deleted; guy is
 * invited to it. zoe and carl belong to no organization.
 */
type Thing =
  | 'org'
  | 'repo'
  | 'bucket'
  | 'group'
  | 'invitation'
  | 'token'
  | 'tokenId'
  | 'role'
  | 'repoId'
  | 'stream'
  | 'collection';
type Names = Readonly<Record<Thing, string>> & { readonly user: string };

const NOBODY = 'f'.repeat(24);
/** The missing names are as long as the existing ones, so that answers have equal lengths. */
const MISSING: Names = {
  org: 'none',
  repo: 'acme/absent',
  bucket: 'acme/absent',
  group: NOBODY,
  invitation: NOBODY,
  token: 'hf_tokenOfnone00',
  tokenId: NOBODY,
  role: 'absentee',
  repoId: NOBODY,
  stream: NOBODY,
  collection: `acme/absent-${NOBODY}`,
  user: 'carl',
};

type Operation = readonly [`${Method} ${string}`, unknown?];
type Made = Readonly<Record<string, (names: Names) => Operation>>;

const GROUP: Made = {
  getResourceGroup: ({ org, group }) => [`GET /api/organizations/${org}/resource-groups/${group}`],
  updateResourceGroup: ({ org, group }) => [`PATCH /api/organizations/${org}/resource-groups/${group}`, { name: 'x' }],
  deleteResourceGroup: ({ org, group }) => [`DELETE /api/organizations/${org}/resource-groups/${group}`],
  configureResourceGroup: ({ org, group }) => [
    `POST /api/organizations/${org}/resource-groups/${group}/settings`,
    { autoJoin: { enabled: false } },
  ],
  addResourceGroupUsers: ({ org, group }) => [
    `POST /api/organizations/${org}/resource-groups/${group}/users`,
    { users: [{ user: 'rita', role: 'read' }] },
  ],
  updateResourceGroupUser: ({ org, group, user }) => [
    `PATCH /api/organizations/${org}/resource-groups/${group}/users/${user}`,
    { role: 'read' },
  ],
  removeResourceGroupUser: ({ org, group, user }) => [
    `DELETE /api/organizations/${org}/resource-groups/${group}/users/${user}`,
  ],
};
/** Bodies with the name of a group. */
const NAMING_GROUP: Made = {
  setRepoResourceGroup: ({ group }) => ['POST /api/models/acme/shared/resource-group', { resourceGroupId: group }],
  createRepo: ({ group }) => ['POST /api/repos/create', { name: 'acme/new', private: true, resourceGroupId: group }],
  setCollectionResourceGroup: ({ group }) => [
    'POST /api/collections/acme/shelf/resource-group',
    { resourceGroupId: group },
  ],
  createCollection: ({ group }) => [
    'POST /api/collections',
    { title: 'New', namespace: 'acme', private: true, resourceGroupId: group },
  ],
};

const ROLE: Made = {
  updateCustomRole: ({ org, role }) => [`PATCH /api/organizations/${org}/roles/${role}`, { base: 'read' }],
  deleteCustomRole: ({ org, role }) => [`DELETE /api/organizations/${org}/roles/${role}`],
};
/** Bodies with the name of a custom role. */
const NAMING_ROLE: Made = {
  addMember: ({ org, role }) => [`PUT /api/organizations/${org}/members/zoe`, { role }],
  changeMemberRole: ({ org, role, user }) => [`PUT /api/organizations/${org}/members/${user}/role`, { role }],
  createInvitation: ({ org, role }) => [`POST /api/organizations/${org}/invitations`, { user: 'zoe', role }],
};

const TOKEN: Made = {
  revokeMemberToken: ({ org, token }) => [`POST /api/organizations/${org}/settings/tokens/revoke`, { token }],
  revokeMemberTokenById: ({ org, tokenId }) => [`POST /api/organizations/${org}/settings/tokens/${tokenId}/revoke`],
  approveMemberToken: ({ org, tokenId }) => [`POST /api/organizations/${org}/settings/tokens/${tokenId}/approve`],
  denyMemberToken: ({ org, tokenId }) => [`POST /api/organizations/${org}/settings/tokens/${tokenId}/deny`],
};
const OWN_TOKEN: Made = { deleteAccessToken: ({ tokenId }) => [`DELETE /api/settings/tokens/${tokenId}`] };

const INVITATION: Made = {
  deleteInvitation: ({ org, invitation }) => [`DELETE /api/organizations/${org}/invitations/${invitation}`],
};
const OWN_INVITATION: Made = {
  acceptInvitation: ({ invitation }) => [`POST /api/settings/invitations/${invitation}/accept`],
};

const STREAM: Made = {
  streamDeliveries: ({ stream }) => [`GET /api/settings/webhook-streams/${stream}`],
  acknowledgeDelivery: ({ stream }) => [
    `POST /api/settings/webhook-streams/${stream}/deliveries/${NOBODY}`,
    { status: 200, durationMs: 0 },
  ],
  testWebhookStream: ({ stream }) => [`POST /api/settings/webhook-streams/${stream}/test`, {}],
  closeWebhookStream: ({ stream }) => [`DELETE /api/settings/webhook-streams/${stream}`],
};

const COLLECTION: Made = {
  getCollection: ({ collection }) => [`GET /api/collections/${collection}`],
  getCollectionById: ({ collection }) => [`GET /api/collections/${collection.slice(-24)}`],
  updateCollection: ({ collection }) => [`PATCH /api/collections/${collection}`, { title: 'x' }],
  deleteCollection: ({ collection }) => [`DELETE /api/collections/${collection}`],
  addCollectionItem: ({ collection }) => [
    `POST /api/collections/${collection}/items`,
    { item: { type: 'model', id: 'acme/shared' } },
  ],
  updateCollectionItem: ({ collection }) => [`PATCH /api/collections/${collection}/items/${NOBODY}`, { position: 0 }],
  updateCollectionItems: ({ collection }) => [
    `POST /api/collections/${collection}/items/batch`,
    [{ action: 'update', _id: NOBODY, data: { position: 0 } }],
  ],
  deleteCollectionItem: ({ collection }) => [`DELETE /api/collections/${collection}/items/${NOBODY}`],
  upvoteCollection: ({ collection }) => [`POST /api/collections/${collection}/upvote`],
  withdrawCollectionUpvote: ({ collection }) => [`DELETE /api/collections/${collection}/upvote`],
  setCollectionResourceGroup: ({ collection }) => [
    `POST /api/collections/${collection}/resource-group`,
    { resourceGroupId: null },
  ],
  getCollectionResourceGroup: ({ collection }) => [`GET /api/collections/${collection}/resource-group`],
  listCollections: ({ collection }) => [`GET /api/collections?item=collections/${collection}`],
  createCollection: ({ collection }) => [
    'POST /api/collections',
    { title: 'x', item: { type: 'collection', id: collection } },
  ],
};

/** A caller who may not change members does not learn who is a member. */
const MEMBER: Made = {
  addMember: ({ org, user }) => [`PUT /api/organizations/${org}/members/${user}`, { role: 'read' }],
  changeMemberRole: ({ org, user }) => [`PUT /api/organizations/${org}/members/${user}/role`, { role: 'read' }],
  removeMember: ({ org, user }) => [`DELETE /api/organizations/${org}/members/${user}`],
};
/** A private list reveals nothing, not even whether it has a certain member. */
const LISTED: Made = {
  listMembers: ({ org, user }) => [`GET /api/organizations/${org}/members?search=${user}`],
  explainAccess: ({ org, user }) => [`GET /api/organizations/${org}/access?user=${user}`],
};
const BY_EMAIL: Made = { listMembers: ({ user }) => [`GET /api/organizations/acme/members?email=${user}@acme.com`] };

const scimBody = (path: string, method: Method): unknown => {
  const of = (name: string, kind: string) => [`urn:ietf:params:scim:${kind}:2.0:${name}`];
  if (path.endsWith('/.search')) return { schemas: of('SearchRequest', 'api:messages') };
  if (path.includes('/links')) return { groupId: NOBODY, role: 'read' };
  if (method === 'PATCH')
    return { schemas: of('PatchOp', 'api:messages'), Operations: [{ op: 'replace', value: { externalId: 'x' } }] };
  if (path.includes('/Groups')) return { schemas: of('Group', 'schemas:core'), displayName: 'x', members: [] };
  const name = { givenName: 'A', familyName: 'B' };
  return { schemas: of('User', 'schemas:core'), userName: 'somebody', externalId: 'x', name, active: true };
};
/** Requests for data of an identity provider: users, groups and links. */
const SCIM: Made = Object.fromEntries(
  allRoutes
    .filter(({ path }) => path.includes('/scim'))
    .map(({ id, method, path }) => [
      id,
      ({ org }) => [
        `${method} ${path.replace('{name}', org).replace(/\{\w+\}/, NOBODY)}`,
        ['GET', 'DELETE'].includes(method) ? undefined : scimBody(path, method),
      ],
    ]),
);

const ORGANIZATION: Made = {
  ...SCIM,
  ...GROUP,
  ...ROLE,
  ...TOKEN,
  ...INVITATION,
  ...MEMBER,
  ...LISTED,
  getOrganizationOverview: ({ org }) => [`GET /api/organizations/${org}/overview`],
  getOrganizationSocials: ({ org }) => [`GET /api/organizations/${org}/socials`],
  listOrganizationFollowers: ({ org }) => [`GET /api/organizations/${org}/followers`],
  listBuckets: ({ org }) => [`GET /api/buckets/${org}`],
  getOrganizationAvatar: ({ org }) => [`GET /api/organizations/${org}/avatar`],
  setOrganizationAvatar: ({ org }) => [`PUT /api/organizations/${org}/avatar`, 'no picture'],
  deleteOrganizationAvatar: ({ org }) => [`DELETE /api/organizations/${org}/avatar`],
  listOrganizationRepos: ({ org }) => [`GET /api/organizations/${org}/settings/repositories`],
  getOrganizationStorageUsage: ({ org }) => [`GET /api/organizations/${org}/settings/storage`],
  listCustomRoles: ({ org }) => [`GET /api/organizations/${org}/roles`],
  createCustomRole: ({ org }) => [`POST /api/organizations/${org}/roles`, { name: 'x', base: 'read' }],
  listResourceGroups: ({ org }) => [`GET /api/organizations/${org}/resource-groups`],
  createResourceGroup: ({ org }) => [`POST /api/organizations/${org}/resource-groups`, { name: 'x' }],
  updateOrganization: ({ org }) => [`PATCH /api/organizations/${org}`, {}],
  deleteOrganization: ({ org }) => [`DELETE /api/organizations/${org}`],
  restoreOrganization: ({ org }) => [`POST /api/organizations/${org}/restore`],
  joinOrganization: ({ org }) => [`POST /api/organizations/${org}/join`],
  listInvitations: ({ org }) => [`GET /api/organizations/${org}/invitations`],
  createInvitation: ({ org }) => [`POST /api/organizations/${org}/invitations`, { user: 'zoe', role: 'read' }],
  listMemberTokens: ({ org }) => [`GET /api/organizations/${org}/settings/tokens`],
  getTokenPolicy: ({ org }) => [`GET /api/organizations/${org}/settings/tokens/policy`],
  updateTokenPolicy: ({ org }) => [`PATCH /api/organizations/${org}/settings/tokens/policy`, { policy: 'any' }],
  getSingleSignOn: ({ org }) => [`GET /api/organizations/${org}/single-sign-on`],
  setSingleSignOn: ({ org }) => [
    `PUT /api/organizations/${org}/single-sign-on`,
    { issuer: 'https://login.example', clientId: 'c' },
  ],
  testSingleSignOn: ({ org }) => [
    `POST /api/organizations/${org}/single-sign-on/test`,
    { issuer: 'https://login.example' },
  ],
  deleteSingleSignOn: ({ org }) => [`DELETE /api/organizations/${org}/single-sign-on`],
  exportAuditLog: ({ org }) => [`GET /api/organizations/${org}/audit-log/export`],
  listAuditLog: ({ org }) => [`GET /api/organizations/${org}/audit-log`],
  getAuditLogHead: ({ org }) => [`GET /api/organizations/${org}/audit-log/head`],
};
/** Requests with names of repositories whose owner does not exist. */
const IN_ORGANIZATION: Made = {
  getRepo: ({ org }) => [`GET /api/models/${org}/within`],
  createRepo: ({ org }) => ['POST /api/repos/create', { name: `${org}/new` }],
  createCollection: ({ org }) => ['POST /api/collections', { title: 'x', namespace: org }],
  listCollections: ({ org }) => [`GET /api/collections?owner=${org}`],
  createBucket: ({ org }) => [`POST /api/buckets/${org}/new`, {}],
  moveRepo: ({ org }) => ['POST /api/repos/move', { fromRepo: 'zoe/own', toRepo: `${org}/own` }],
};

const num = 1;
const LARGE_FILE = { oid: 'a'.repeat(64), size: 3 };
const REPO: Made = {
  deleteRepo: ({ repo }) => ['DELETE /api/repos/delete', { name: repo }],
  moveRepo: ({ repo }) => ['POST /api/repos/move', { fromRepo: repo, toRepo: 'acme/elsewhere' }],
  getRepoSettings: ({ repo }) => [`GET /api/models/${repo}/settings`],
  updateRepoSettings: ({ repo }) => [`PUT /api/models/${repo}/settings`, { gated: 'auto' }],
  createBranch: ({ repo }) => [`POST /api/models/${repo}/branch/draft`, {}],
  deleteBranch: ({ repo }) => [`DELETE /api/models/${repo}/branch/draft`],
  createTag: ({ repo }) => [`POST /api/models/${repo}/tag/main`, { tag: 'v1' }],
  lfsBatch: ({ repo }) => [
    `POST /${repo}.git/info/lfs/objects/batch`,
    { operation: 'download', objects: [LARGE_FILE] },
  ],
  verifyLfsUpload: ({ repo }) => [`POST /${repo}.git/info/lfs/objects/verify`, LARGE_FILE],
  lfsBatchOfType: ({ repo }) => [
    `POST /datasets/${repo}.git/info/lfs/objects/batch`,
    { operation: 'download', objects: [LARGE_FILE] },
  ],
  verifyLfsUploadOfType: ({ repo }) => [`POST /datasets/${repo}.git/info/lfs/objects/verify`, LARGE_FILE],
  lockFile: ({ repo }) => [`POST /${repo}.git/info/lfs/locks`, { path: 'x.bin' }],
  lockFileOfType: ({ repo }) => [`POST /datasets/${repo}.git/info/lfs/locks`, { path: 'x.bin' }],
  listLocks: ({ repo }) => [`GET /${repo}.git/info/lfs/locks`],
  listLocksOfType: ({ repo }) => [`GET /datasets/${repo}.git/info/lfs/locks`],
  verifyLocks: ({ repo }) => [`POST /${repo}.git/info/lfs/locks/verify`, {}],
  verifyLocksOfType: ({ repo }) => [`POST /datasets/${repo}.git/info/lfs/locks/verify`, {}],
  unlockFile: ({ repo }) => [`POST /${repo}.git/info/lfs/locks/${NOBODY}/unlock`, {}],
  unlockFileOfType: ({ repo }) => [`POST /datasets/${repo}.git/info/lfs/locks/${NOBODY}/unlock`, {}],
  advertiseGit: ({ repo }) => [`GET /${repo}/info/refs?service=git-upload-pack`],
  advertiseGitOfType: ({ repo }) => [`GET /datasets/${repo}/info/refs?service=git-receive-pack`],
  fetchWithGit: ({ repo }) => [`POST /${repo}/git-upload-pack`, '0000'],
  fetchWithGitOfType: ({ repo }) => [`POST /datasets/${repo}.git/git-upload-pack`, '0000'],
  pushWithGit: ({ repo }) => [`POST /${repo}/git-receive-pack`, '0000'],
  pushWithGitOfType: ({ repo }) => [`POST /datasets/${repo}.git/git-receive-pack`, '0000'],
  getXetWriteToken: ({ repo }) => [`GET /api/models/${repo}/xet-write-token/main`],
  getXetReadToken: ({ repo }) => [`GET /api/models/${repo}/xet-read-token/main`],
  listLargeFiles: ({ repo }) => [`GET /api/models/${repo}/lfs-files`],
  deleteLargeFile: ({ repo }) => [`DELETE /api/models/${repo}/lfs-files/${LARGE_FILE.oid}`],
  deleteLargeFiles: ({ repo }) => [
    `POST /api/models/${repo}/lfs-files/batch`,
    { deletions: { sha: [LARGE_FILE.oid] } },
  ],
  duplicateLargeFiles: ({ repo }) => [
    `POST /api/models/${repo}/lfs-files/duplicate`,
    { target: { type: 'model', name: repo }, files: [{ sha256: LARGE_FILE.oid }] },
  ],
  listTree: ({ repo }) => [`GET /api/models/${repo}/tree/main`],
  getPathsInfo: ({ repo }) => [`POST /api/models/${repo}/paths-info/main`, { paths: ['x'] }],
  listCommits: ({ repo }) => [`GET /api/models/${repo}/commits/main`],
  getTreeSize: ({ repo }) => [`GET /api/models/${repo}/treesize/main/x`],
  getRepoStorage: ({ repo }) => [`GET /api/models/${repo}/storage`],
  maintainRepo: ({ repo }) => [`POST /api/models/${repo}/maintenance`],
  downloadModelFile: ({ repo }) => [`GET /${repo}/resolve/main/x`],
  downloadRawModelFile: ({ repo }) => [`GET /${repo}/raw/main/x`],
  downloadFile: ({ repo }) => [`GET /datasets/${repo}/resolve/main/x`],
  downloadCachedFile: ({ repo }) => [`GET /api/resolve-cache/models/${repo}/main/x`],
  downloadRawFile: ({ repo }) => [`GET /datasets/${repo}/raw/main/x`],
  preupload: ({ repo }) => [`POST /api/models/${repo}/preupload/main`, { files: [] }],
  compareRevisions: ({ repo }) => [`GET /api/models/${repo}/compare/main..x`],
  createCommit: ({ repo }) => [`POST /api/models/${repo}/commit/main`, { summary: 'x' }],
  duplicateRepo: ({ repo }) => [`POST /api/models/${repo}/duplicate`, { repository: 'nora/copy' }],
  squashBranch: ({ repo }) => [`POST /api/models/${repo}/super-squash/main`, {}],
  deleteTag: ({ repo }) => [`DELETE /api/models/${repo}/tag/v1`],
  getRepo: ({ repo }) => [`GET /api/models/${repo}`],
  getRepoAtRevision: ({ repo }) => [`GET /api/models/${repo}/revision/main`],
  listRefs: ({ repo }) => [`GET /api/models/${repo}/refs`],
  likeRepo: ({ repo }) => [`POST /api/models/${repo}/like`],
  unlikeRepo: ({ repo }) => [`DELETE /api/models/${repo}/like`],
  listLikers: ({ repo }) => [`GET /api/models/${repo}/likers`],
  askAccess: ({ repo }) => [`POST /${repo}/ask-access`],
  askAccessOfType: ({ repo }) => [`POST /datasets/${repo}/ask-access`],
  cancelAccessRequest: ({ repo }) => [`POST /api/models/${repo}/user-access-request/cancel`],
  listAccessRequests: ({ repo }) => [`GET /api/models/${repo}/user-access-request/pending`],
  handleAccessRequest: ({ repo }) => [
    `POST /api/models/${repo}/user-access-request/handle`,
    { user: 'zoe', status: 'accepted' },
  ],
  handleAccessRequests: ({ repo }) => [
    `POST /api/models/${repo}/user-access-request/batch`,
    { requests: [{ user: 'zoe' }], status: 'accepted' },
  ],
  grantAccess: ({ repo }) => [`POST /api/models/${repo}/user-access-request/grant`, { user: 'zoe' }],
  getUserAccessReport: ({ repo }) => [`GET /${repo}/user-access-report`],
  getUserAccessReportOfType: ({ repo }) => [`GET /datasets/${repo}/user-access-report`],
  getSpaceRuntime: ({ repo }) => [`GET /api/spaces/${repo}/runtime`],
  listSpaceVariables: ({ repo }) => [`GET /api/spaces/${repo}/variables`],
  setSpaceVariable: ({ repo }) => [`POST /api/spaces/${repo}/variables`, { key: 'K' }],
  deleteSpaceVariable: ({ repo }) => [`DELETE /api/spaces/${repo}/variables`, { key: 'K' }],
  listSpaceSecrets: ({ repo }) => [`GET /api/spaces/${repo}/secrets`],
  setSpaceSecret: ({ repo }) => [`POST /api/spaces/${repo}/secrets`, { key: 'S' }],
  deleteSpaceSecret: ({ repo }) => [`DELETE /api/spaces/${repo}/secrets`, { key: 'S' }],
  setSpaceVolumes: ({ repo }) => [
    `PUT /api/spaces/${repo}/volumes`,
    { volumes: [{ type: 'model', source: 'acme/shared', mountPath: '/m' }] },
  ],
  deleteSpaceVolumes: ({ repo }) => [`DELETE /api/spaces/${repo}/volumes`],
  pauseSpace: ({ repo }) => [`POST /api/spaces/${repo}/pause`],
  restartSpace: ({ repo }) => [`POST /api/spaces/${repo}/restart`],
  requestSpaceHardware: ({ repo }) => [`POST /api/spaces/${repo}/hardware`, { flavor: 't4-small' }],
  setSpaceSleepTime: ({ repo }) => [`POST /api/spaces/${repo}/sleeptime`, { seconds: 60 }],
  setSpaceDevMode: ({ repo }) => [`POST /api/spaces/${repo}/dev-mode`, { enabled: true }],
  requestSpaceStorage: ({ repo }) => [`POST /api/spaces/${repo}/storage`, { tier: 'small' }],
  deleteSpaceStorage: ({ repo }) => [`DELETE /api/spaces/${repo}/storage`],
  streamSpaceEvents: ({ repo }) => [`GET /api/spaces/${repo}/events`],
  streamSpaceMetrics: ({ repo }) => [`GET /api/spaces/${repo}/metrics`],
  streamSpaceLogs: ({ repo }) => [`GET /api/spaces/${repo}/logs/run`],
  getMirror: ({ repo }) => [`GET /api/models/${repo}/mirror`],
  createMirror: ({ repo }) => [`POST /api/models/${repo}/mirror`, { url: 'http://127.0.0.1:9/letters' }],
  updateMirror: ({ repo }) => [`PUT /api/models/${repo}/mirror`, { interval: 3600 }],
  deleteMirror: ({ repo }) => [`DELETE /api/models/${repo}/mirror`],
  syncMirror: ({ repo }) => [`POST /api/models/${repo}/mirror/sync`],
  checkAccess: ({ repo }) => [`GET /api/models/${repo}/auth-check`],
  checkWriteAccess: ({ repo }) => [`GET /api/models/${repo}/auth-check/write`],
  setRepoResourceGroup: ({ repo }) => [`POST /api/models/${repo}/resource-group`, { resourceGroupId: null }],
  getRepoResourceGroup: ({ repo }) => [`GET /api/models/${repo}/resource-group`],
  createDiscussion: ({ repo }) => [`POST /api/models/${repo}/discussions`, { title: 'Title', description: '.' }],
  commentDiscussion: ({ repo }) => [`POST /api/models/${repo}/discussions/${num}/comment`, { comment: '.' }],
  editComment: ({ repo }) => [`POST /api/models/${repo}/discussions/${num}/comment/${NOBODY}/edit`, { content: '.' }],
  hideComment: ({ repo }) => [`POST /api/models/${repo}/discussions/${num}/comment/${NOBODY}/hide`],
  changeDiscussionStatus: ({ repo }) => [`POST /api/models/${repo}/discussions/${num}/status`, { status: 'closed' }],
  renameDiscussion: ({ repo }) => [`POST /api/models/${repo}/discussions/${num}/title`, { title: 'Another' }],
  pinDiscussion: ({ repo }) => [`POST /api/models/${repo}/discussions/${num}/pin`, { pinned: true }],
  mergePullRequest: ({ repo }) => [`POST /api/models/${repo}/discussions/${num}/merge`],
  deleteDiscussion: ({ repo }) => [`DELETE /api/models/${repo}/discussions/${num}`],
  deletePullRequestRef: ({ repo }) => [`DELETE /api/models/${repo}/discussions/${num}/ref`],
  listDiscussions: ({ repo }) => [`GET /api/models/${repo}/discussions`],
  getDiscussion: ({ repo }) => [`GET /api/models/${repo}/discussions/${num}?diff=1`],
  getPullRequestStorage: ({ repo }) => [`GET /api/models/${repo}/discussions/${num}/storage`],
  createRepo: ({ repo }) => ['POST /api/repos/create', { name: repo }],
  createCollection: ({ repo }) => ['POST /api/collections', { title: 'x', item: { type: 'model', id: repo } }],
  listCollections: ({ repo }) => [`GET /api/collections?item=models/${repo}`],
  getBucket: ({ bucket }) => [`GET /api/buckets/${bucket}`],
  listBucketTree: ({ bucket }) => [`GET /api/buckets/${bucket}/tree`],
  listBucketTreeBelow: ({ bucket }) => [`GET /api/buckets/${bucket}/tree/x`],
  streamBucketChanges: ({ bucket }) => [`GET /api/buckets/${bucket}/events`],
  getBucketPathsInfo: ({ bucket }) => [`POST /api/buckets/${bucket}/paths-info`, { paths: ['x'] }],
  changeBucketFiles: ({ bucket }) => [`POST /api/buckets/${bucket}/batch`, { type: 'deleteFile', path: 'x' }],
  downloadBucketFile: ({ bucket }) => [`GET /buckets/${bucket}/resolve/x`],
  getBucketXetWriteToken: ({ bucket }) => [`GET /api/buckets/${bucket}/xet-write-token`],
  getBucketXetReadToken: ({ bucket }) => [`GET /api/buckets/${bucket}/xet-read-token`],
  deleteBucket: ({ bucket }) => [`DELETE /api/buckets/${bucket}`],
  createBucket: ({ bucket }) => [`POST /api/buckets/${bucket}`, {}],
  updateWatched: ({ repoId }) => ['PATCH /api/settings/watch', { add: [{ type: 'repo', id: repoId }], delete: [] }],
  updateMuted: ({ repoId }) => ['PATCH /api/settings/mute', { add: [{ type: 'repo', id: repoId }], delete: [] }],
};
/** Requests of members that can name a repository in other ways. */
const NAMING_REPO: Made = {
  explainAccess: ({ repo }) => [`GET /api/organizations/acme/access?repo=${repo}`],
  createResourceGroup: ({ repo }) => [
    'POST /api/organizations/acme/resource-groups',
    { name: 'x', users: [{ user: 'will', role: 'admin' }], repos: [{ type: 'model', name: repo }] },
  ],
};

interface Row {
  readonly what: string;
  readonly from: readonly string[];
  readonly requests: Made;
  /** The existing names, by the words of `found`. */
  readonly there: Partial<Names>;
  /** The names for comparison, unless these are the missing ones. */
  readonly like?: Partial<Names>;
}

/** Returns the requests that a stranger may send without a token; the others get 401 before the hub looks anything up. */
const withoutToken = (requests: Made): Made =>
  Object.fromEntries(
    allRoutes.flatMap(({ id, anonymous }) => {
      const request = anonymous && requests[id];
      return request ? [[id, request]] : [];
    }),
  );

const ON_BUCKETS = [
  ...['getBucket', 'deleteBucket', 'listBucketTree', 'listBucketTreeBelow', 'getBucketPathsInfo', 'changeBucketFiles'],
  ...['streamBucketChanges', 'downloadBucketFile', 'getBucketXetWriteToken', 'getBucketXetReadToken'],
];

const MEMBERS_OUTSIDE = ['will', 'rita', 'nora'];
const ROWS: readonly Row[] = [
  { what: 'a deleted organization', from: ['rita', 'zoe', 'admin'], requests: ORGANIZATION, there: { org: 'gone' } },
  {
    what: 'what site administrators list',
    from: ['ada', 'zoe'],
    requests: {
      listUsers: ({ user }) => [`GET /api/admin/users?search=${user}`],
      exportUserData: ({ user }) => [`GET /api/admin/users/${user}/export`],
      getUserEntry: ({ user }) => [`GET /api/admin/users/${user}`],
      listUserGrants: ({ user }) => [`GET /api/admin/users/${user}/grants`],
      getUserSecondFactor: ({ user }) => [`GET /api/admin/users/${user}/second-factors`],
      resetSecondFactor: ({ user }) => [`DELETE /api/admin/users/${user}/second-factors`],
      listOrganizations: ({ org }) => [`GET /api/admin/organizations?search=${org}`],
      getQuota: ({ user }) => [`GET /api/admin/quotas/${user}`],
      updateQuota: ({ org }) => [`PUT /api/admin/quotas/${org}`, { storageGib: 1 }],
    },
    there: { org: 'gone', user: 'rita' },
  },
  // Only its admins, who may restore it, learn of it.
  {
    what: 'a deleted organization',
    from: ['ada', 'readingOfada'],
    requests: without(ORGANIZATION, 'restoreOrganization'),
    there: { org: 'gone' },
  },
  {
    what: 'the repositories of a deleted organization',
    from: ['ada', 'zoe', 'admin'],
    requests: IN_ORGANIZATION,
    there: { org: 'gone' },
  },
  {
    what: 'a private repository',
    from: ['nora', 'zoe', 'admin', 'elsewhereOfada'],
    requests: REPO,
    there: { repo: 'acme/secret', bucket: 'acme/bucket', repoId: 'secret' },
  },
  {
    what: 'a private repository in a group',
    from: [...MEMBERS_OUTSIDE, 'gus', 'zoe', 'admin', 'elsewhereOfada'],
    requests: without(REPO, 'createRepo', 'createBucket', ...ON_BUCKETS),
    there: { repo: 'acme/inside', repoId: 'inside' },
  },
  {
    what: 'a private repository',
    from: ['nobody'],
    requests: withoutToken(REPO),
    there: { repo: 'acme/secret', bucket: 'acme/bucket' },
  },
  {
    what: 'a private repository in a group',
    from: ['nobody'],
    requests: withoutToken(without(REPO, ...ON_BUCKETS)),
    there: { repo: 'acme/inside' },
  },
  {
    what: 'a deleted organization',
    from: ['nobody'],
    requests: withoutToken({ ...ORGANIZATION, ...IN_ORGANIZATION }),
    there: { org: 'gone' },
  },
  {
    what: 'a private repository in a group',
    from: ['will', 'gus'],
    requests: NAMING_REPO,
    there: { repo: 'acme/inside' },
  },
  {
    what: 'a private collection',
    from: ['nora', 'zoe', 'admin', 'elsewhereOfada'],
    requests: COLLECTION,
    there: { collection: 'hidden' },
  },
  {
    what: 'a private collection in a group',
    from: [...MEMBERS_OUTSIDE, 'gus', 'zoe', 'admin', 'elsewhereOfada'],
    requests: COLLECTION,
    there: { collection: 'inside' },
  },
  {
    what: 'a resource group',
    from: [...MEMBERS_OUTSIDE, 'gus'],
    requests: { ...GROUP, ...NAMING_GROUP },
    there: { org: 'acme', group: 'lab' },
  },
  { what: 'a resource group', from: ['zoe', 'admin'], requests: GROUP, there: { org: 'acme', group: 'lab' } },
  {
    what: 'a resource group of another organization',
    from: ['ada'],
    requests: { ...GROUP, ...NAMING_GROUP },
    there: { org: 'acme', group: 'theirs' },
  },
  {
    what: 'the group of a public repository',
    from: [...MEMBERS_OUTSIDE, 'gus', 'zoe', 'admin'],
    requests: { getRepoResourceGroup: REPO.getRepoResourceGroup! },
    there: { repo: 'acme/stored' },
    like: { repo: 'acme/shared' },
  },
  {
    what: 'the group of a public collection',
    from: [...MEMBERS_OUTSIDE, 'gus', 'zoe', 'admin'],
    requests: { getCollectionResourceGroup: COLLECTION.getCollectionResourceGroup! },
    there: { collection: 'acme/stored' },
    like: { collection: 'acme/shelf' },
  },
  {
    what: 'a custom role',
    from: [...MEMBERS_OUTSIDE, 'zoe', 'admin'],
    requests: { ...ROLE, ...NAMING_ROLE },
    there: { org: 'acme', role: 'engineer' },
  },
  {
    what: 'a custom role of another organization',
    from: ['ada'],
    requests: { ...ROLE, ...NAMING_ROLE },
    there: { org: 'acme', role: 'stranger' },
  },
  {
    what: 'an access token of a member',
    from: [...MEMBERS_OUTSIDE, 'zoe', 'admin'],
    requests: TOKEN,
    there: { org: 'acme', token: 'rita', tokenId: 'rita' },
  },
  {
    what: 'an access token of somebody else',
    from: ['ada'],
    requests: TOKEN,
    there: { org: 'acme', token: 'zoe', tokenId: 'zoe' },
  },
  {
    what: 'an access token of somebody else',
    from: ['ada', 'rita', 'zoe', 'admin'],
    requests: OWN_TOKEN,
    there: { tokenId: 'will' },
  },
  {
    what: 'a stream of somebody else',
    from: ['ada', 'rita', 'zoe', 'admin'],
    requests: STREAM,
    there: { stream: 'will' },
  },
  {
    what: 'an invitation',
    from: [...MEMBERS_OUTSIDE, 'zoe', 'admin'],
    requests: INVITATION,
    there: { org: 'acme', invitation: 'ours' },
  },
  {
    what: 'an invitation of another organization',
    from: ['ada'],
    requests: INVITATION,
    there: { org: 'acme', invitation: 'theirs' },
  },
  {
    what: 'an invitation of somebody else',
    from: ['ada', 'rita', 'zoe', 'admin'],
    requests: OWN_INVITATION,
    there: { invitation: 'theirs' },
  },
  {
    what: 'an invitation by e-mail',
    from: ['ada', 'zoe', 'admin'],
    requests: OWN_INVITATION,
    there: { invitation: 'ours' },
  },
  {
    what: 'an invitation to a deleted organization',
    from: ['guy'],
    requests: OWN_INVITATION,
    there: { invitation: 'gone' },
  },
  {
    what: 'who is a member',
    from: [...MEMBERS_OUTSIDE, 'zoe', 'admin'],
    requests: MEMBER,
    there: { org: 'acme', user: 'kate' },
  },
  {
    what: 'who is on a private list',
    from: ['nora', 'zoe', 'admin'],
    requests: without(LISTED, 'explainAccess'),
    there: { org: 'acme', user: 'kate' },
  },
  {
    what: 'what somebody may do',
    from: ['will', 'zoe', 'admin'],
    requests: without(LISTED, 'listMembers'),
    there: { org: 'acme', user: 'kate' },
  },
  {
    what: 'the e-mail address of a member',
    from: ['will', 'nora', 'zoe', 'admin'],
    requests: BY_EMAIL,
    there: { org: 'acme', user: 'kate' },
  },
];

function without(requests: Made, ...ids: string[]): Made {
  return Object.fromEntries(Object.entries(requests).filter(([id]) => !ids.includes(id)));
}

let hub: TestHub;
/** The ids of existing things, by the words in ROWS. */
const found: Partial<Record<Thing, Record<string, string>>> = {};

beforeAll(async () => {
  hub = await startHub();
  const roles = { ada: 'admin', will: 'write', rita: 'read', kate: 'read', gus: 'read', nora: 'no_access' } as const;
  const members = Object.entries(roles).map(([user, role]) => ({ user, role }));
  await hub.apply({
    users: [...Object.keys(roles), 'olga', 'guy', 'zoe', 'carl'].map((name) => ({
      ...person(name),
      email: `${name}@acme.com`,
    })),
    organizations: [
      { name: 'acme', plan: 'enterprise', members },
      { name: 'gone', plan: 'enterprise', members },
      { name: 'globex', plan: 'enterprise', members: [{ user: 'olga', role: 'admin' }] },
    ],
  });
  const ids = new Map(
    (await hub.database.read.selectFrom('accounts').select(['id', 'name']).execute()).map((row) => [row.name, row.id]),
  );
  const scopes = {
    scoped: [
      { entity: { _id: ids.get('globex') ?? '', type: 'org' }, permissions: ['repo.write', 'discussion.write'] },
    ],
    global: ['org.write', 'user.settings.write'],
  };
  await hub.apply({
    users: [
      {
        name: 'ada',
        tokens: [
          { name: 'reading', role: 'read', token: tokenOf('readingOfada') },
          { name: 'elsewhere', role: 'fineGrained', token: tokenOf('elsewhereOfada'), scopes },
        ],
      },
    ],
  });
  const [ada, olga] = [hub.as('ada'), hub.as('olga')];
  const group = async (
    caller: typeof ada,
    organization: string,
    name: string,
    users: { user: string; role: string }[],
  ) => (await createResourceGroup({ ...caller, organization, name, users })).id;
  const lab = await group(ada, 'acme', 'group', []);
  await group(ada, 'acme', 'other', [{ user: 'gus', role: 'admin' }]);
  found.group = { lab, theirs: await group(olga, 'globex', 'group', []) };
  await createRepo({ ...hub.as('will'), repo: 'acme/shared' });
  await createRepo({ ...hub.as('zoe'), repo: 'zoe/own' });
  await createRepo({ ...ada, repo: 'gone/within' });
  const secret = await createRepo({ ...ada, repo: 'acme/secret', private: true });
  await createRepo({ ...ada, repo: 'acme/stored', resourceGroupId: lab });
  const inside = await createRepo({ ...ada, repo: 'acme/inside', private: true, resourceGroupId: lab });
  await createRepo({ ...ada, type: 'space', repo: 'acme/secret', private: true });
  await createRepo({ ...ada, type: 'space', repo: 'acme/inside', private: true, resourceGroupId: lab });
  await createBucket({ ...ada, repo: 'acme/bucket', private: true });
  found.repoId = { secret: secret.id, inside: inside.id };
  const listed = { title: 'Hidden', namespace: 'acme', private: true } as const;
  found.collection = {
    hidden: (await createCollection({ ...ada, ...listed, item: { type: 'model', id: 'acme/secret' } })).slug,
    inside: (await createCollection({ ...ada, ...listed, title: 'Inside', resourceGroupId: lab })).slug,
  };
  await createCollection({ ...ada, title: 'Shelf', namespace: 'acme' });
  await createCollection({ ...ada, title: 'Stored', namespace: 'acme', resourceGroupId: lab });
  await createCollection({ ...ada, title: 'Within', namespace: 'gone' });
  for (const repo of ['acme/secret', 'acme/inside'])
    await createDiscussion({ ...ada, type: 'model', repo, title: 'A change', description: '.', pullRequest: true });
  for (const [caller, name, role] of [
    [ada, 'acme', 'engineer'],
    [olga, 'globex', 'stranger'],
  ] as const)
    await ask(caller, `POST /api/organizations/${name}/roles`, { name: role, base: 'read' });
  const tokens = await hub.database.read.selectFrom('tokens').select(['id', 'user_id']).execute();
  const tokenIdOf = (user: string) => tokens.find((row) => row.user_id === ids.get(user))?.id ?? '';
  found.tokenId = { rita: tokenIdOf('rita'), zoe: tokenIdOf('zoe'), will: tokenIdOf('will') };
  found.token = { rita: tokenOf('rita'), zoe: tokenOf('zoe') };
  const invite = async (caller: typeof ada, name: string, whom: { user: string } | { email: string }) =>
    (await createInvitation({ ...caller, name, ...whom, role: 'read' } as never)).id;
  found.stream = { will: (await openWebhookStream({ ...hub.as('will'), stream: {} })).stream.id };
  found.invitation = {
    ours: await invite(ada, 'acme', { email: 'somebody@acme.com' }),
    theirs: await invite(olga, 'globex', { user: 'guy' }),
    gone: await invite(ada, 'gone', { user: 'guy' }),
  };
  await ask(ada, 'PATCH /api/organizations/acme', { membersPrivate: true });
  await deleteOrganization({ ...ada, name: 'gone' });
  await hub.drain();
  // The first use of each token writes a note.
  for (const who of new Set(ROWS.flatMap(({ from }) => from))) await ask(callerOf(who), 'GET /api/whoami-v2');
});
afterAll(() => hub[Symbol.asyncDispose]());

function callerOf(who: string): Asked {
  if (who === 'nobody') return { hubUrl: hub.url };
  return who === 'admin' ? hub.admin : hub.with(tokenOf(who));
}

/** Returns all that a caller can learn, except for what differs between any two responses, and the queries of the hub. */
async function learned(caller: Asked, [request, body]: Operation) {
  using queries = noteQueries(hub.database.read);
  const answer = await ask(caller, request, body);
  const { 'x-request-id': _, date: __, ...headers } = Object.fromEntries(answer.headers);
  const asked = [...queries.texts];
  return { status: answer.status, text: await answer.text(), headers, asked };
}

const cases = ROWS.flatMap(({ what, from, requests, there, like = {} }) =>
  from.flatMap((who) =>
    Object.keys(requests).map((route) => ({ what, who, route, request: requests[route]!, there, like })),
  ),
);

test.each(cases)('$what, to $who: $route', async ({ who, request, there, like }) => {
  const names = Object.fromEntries(
    Object.entries(there).map(([thing, word]) => [thing, found[thing as Thing]?.[word] ?? word]),
  ) as Partial<Names>;
  const common = { ...MISSING, ...(there.org === 'acme' && { org: 'acme' }), ...like };
  const hidden = await learned(callerOf(who), request({ ...common, ...names }));
  const missing = await learned(callerOf(who), request(common));
  const renamed = (text: string) =>
    Object.entries(names).reduce((said, [thing, name]) => said.replaceAll(name, common[thing as Thing]), text);
  expect({
    ...hidden,
    text: renamed(hidden.text),
    headers: JSON.parse(renamed(JSON.stringify(hidden.headers))),
  }).toEqual(missing);
  expect(hidden.asked.length).toBeGreaterThan(0);
});

test('every route of an organization and of a repository is tried', () => {
  const tried = new Set(cases.map(({ route }) => route));
  // Site administrators may see everything, and nobody else passes the permission check.
  const routes = allRoutes.filter(
    ({ path, authority }) =>
      authority !== 'site-admin' &&
      /organizations\/\{name\}|\{namespace\}\/\{repo\}|\/repos\/|Id\}\/accept|\{streamId\}|tokens\/\{tokenId\}|\/collections/.test(
        path,
      ),
  );
  expect(routes.filter(({ id }) => !tried.has(id)).map(({ id }) => id)).toEqual([]);
  expect(cases.length).toBeGreaterThan(300);
});
