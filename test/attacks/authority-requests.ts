import type { RouteDeclaration } from '@moonbase/contract/route';

/** Operations that return content, and how a test recognizes the content: by the canary, or by the status alone. */
export const READS: Readonly<Record<string, 'canary' | 'status'>> = {
  getRepo: 'status',
  getRepoAtRevision: 'status',
  getBucket: 'status',
  listBuckets: 'canary',
  checkAccess: 'status',
  listRefs: 'canary',
  listLikers: 'status',
  likeRepo: 'status',
  unlikeRepo: 'status',
  getMirror: 'status',
  getSpaceRuntime: 'canary',
  listSpaceVariables: 'canary',
  listSpaceSecrets: 'canary',
  streamSpaceLogs: 'status',
  listLargeFiles: 'status',
  lfsBatch: 'status',
  listLocks: 'status',
  verifyLocks: 'status',
  advertiseGit: 'status',
  fetchWithGit: 'status',
  getXetReadToken: 'status',
  getBucketXetReadToken: 'status',
  getBucketXetWriteToken: 'status',
  listBucketTree: 'status',
  listBucketTreeBelow: 'status',
  getBucketPathsInfo: 'status',
  streamBucketChanges: 'status',
  downloadBucketFile: 'status',
  getXetWriteToken: 'status',
  listTree: 'status',
  getPathsInfo: 'status',
  listCommits: 'status',
  compareRevisions: 'status',
  getTreeSize: 'status',
  downloadModelFile: 'status',
  downloadCachedFile: 'status',
  downloadRawModelFile: 'status',
  listOrganizationRepos: 'canary',
  listModels: 'canary',
  quickSearch: 'canary',
  quickSearchByBody: 'canary',
  listCollections: 'canary',
  getCollection: 'canary',
  getCollectionById: 'canary',
  listDiscussions: 'canary',
  getDiscussion: 'canary',
  listResourceGroups: 'canary',
  getResourceGroup: 'canary',
  getRepoResourceGroup: 'status',
  getCollectionResourceGroup: 'status',
  listNotifications: 'canary',
  listWatched: 'canary',
  listMuted: 'canary',
  listJobs: 'canary',
  getJob: 'canary',
  streamJobLogs: 'status',
  streamJobEvents: 'status',
  streamJobMetrics: 'status',
  listScheduledJobs: 'canary',
  getScheduledJob: 'canary',
  listWebhooks: 'canary',
  getWebhook: 'canary',
  listDeliveries: 'canary',
  getDelivery: 'canary',
  listWebhookStreams: 'canary',
  streamDeliveries: 'canary',
};

/** Operations that make the hub forward content. */
export const SENDS: Readonly<Record<string, 'status'>> = {
  replayDelivery: 'status',
  testWebhook: 'status',
  setWebhookState: 'status',
  rotateWebhookSecret: 'status',
};

const NOBODY = 'f'.repeat(24);
const hook = ({ name }: PathValues) => ({
  url: 'http://127.0.0.1:9/hook',
  watched: [{ type: 'model', name: `${name}/secret` }],
  domains: ['repo', 'discussion'],
});
const text = { comment: 'Why?' };
const largeFile = { oid: 'a'.repeat(64), size: 3 };
const lfsBatch = () => ({ operation: 'download', objects: [largeFile] });
const job = ({ name }: PathValues) => ({
  flavor: 'cpu-basic',
  dockerImage: 'python:3.12',
  command: ['true'],
  volumes: [{ type: 'model', source: `${name}/secret`, mountPath: '/m' }],
});

type PathValues = Readonly<Record<string, string>>;

/** Bodies for operations that accept only a complete body. */
const BODIES: Readonly<Record<string, (values: PathValues) => unknown>> = {
  setOrganizationAvatar: () => 'no picture',
  setUserAvatar: () => 'no picture',
  createAccessToken: () => ({ displayName: `one more ${Math.random()}`, role: 'write' }),
  revokeCredentials: () => ({ credentials: ['x'] }),
  signIn: () => ({ name: 'bob', password: 'not the one' }),
  setUpSecondFactor: () => ({}),
  signInSecondStep: () => ({ code: '123456' }),
  confirmSecondFactor: () => ({ code: '123456' }),
  signInWithToken: () => ({ token: 'hf_nobodyHasThisToken' }),
  signOut: () => ({}),
  createUser: () => ({ name: 'somebody-new' }),
  collectStorage: () => ({ dryRun: true }),
  updateQuota: () => ({ storageGib: 'default' }),
  createUserLink: () => ({ purpose: 'reset' }),
  confirmEmail: () => ({}),
  requestReset: () => ({ name: 'ada' }),
  signUp: () => ({ email: 'ada@example.com' }),
  endProviderSessions: () => ({ logout_token: 'x.y.z' }),
  setSingleSignOn: () => ({ issuer: 'https://login.example', clientId: 'moonbase' }),
  testSingleSignOn: () => ({ issuer: 'https://login.example' }),
  finishSingleSignOn: () => ({ path: '/login/oidc/callback?code=c&state=s' }),
  setEmail: () => ({ email: 'ada@example.com' }),
  useLink: () => ({ password: 'seven quiet herons' }),
  setPassword: () => ({ password: 'seven quiet herons' }),
  createApplication: () => ({ name: 'Reader' }),
  createTrustedPublisher: ({ name }) => ({
    resource: `${name}/secret`,
    issuer: 'https://ci.example',
    claims: { sub: 'repo:acme/ci' },
  }),
  getDeviceLogin: () => ({ userCode: 'BBBB-BBBB' }),
  decideDeviceLogin: () => ({ userCode: 'BBBB-BBBB', decision: 'allow' }),
  decideAuthorization: () => ({ decision: 'allow' }),
  createRepo: ({ name, resourceGroupId }) => ({ name: `${name}/new`, private: true, resourceGroupId }),
  deleteRepo: ({ name }) => ({ name: `${name}/secret` }),
  moveRepo: ({ name }) => ({ fromRepo: `${name}/secret`, toRepo: 'bob/secret' }),
  updateRepoSettings: () => ({ private: false }),
  setSpaceVariable: () => ({ key: 'K', value: 'v' }),
  deleteSpaceVariable: () => ({ key: 'K' }),
  setSpaceSecret: () => ({ key: 'S', value: 'v' }),
  deleteSpaceSecret: () => ({ key: 'S' }),
  setSpaceVolumes: ({ name }) => ({ volumes: [{ type: 'model', source: `${name}/secret`, mountPath: '/m' }] }),
  requestSpaceHardware: () => ({ flavor: 't4-small' }),
  setSpaceSleepTime: () => ({ seconds: 60 }),
  setSpaceDevMode: () => ({ enabled: true }),
  requestSpaceStorage: () => ({ tier: 'small' }),
  createMirror: () => ({ url: 'http://127.0.0.1:9/letters', overwrite: true }),
  updateMirror: () => ({ interval: 3600 }),
  lfsBatch,
  lfsBatchOfType: lfsBatch,
  fetchWithGit: () => '0000',
  fetchWithGitOfType: () => '0000',
  pushWithGit: () => '0000',
  pushWithGitOfType: () => '0000',
  verifyLfsUpload: () => largeFile,
  verifyLfsUploadOfType: () => largeFile,
  lockFile: () => ({ path: 'x.bin' }),
  lockFileOfType: () => ({ path: 'x.bin' }),
  putLargeFile: () => 'bytes',
  completeLargeFile: () => ({ oid: largeFile.oid, parts: [{ partNumber: 1, etag: 'e' }] }),
  uploadXorb: () => 'xorb',
  uploadShard: () => 'shard',
  uploadShardWithProgress: () => 'shard',
  postXetTelemetry: () => ({}),
  deleteLargeFiles: () => ({ deletions: { sha: [largeFile.oid] } }),
  duplicateLargeFiles: ({ name }) => ({
    target: { type: 'model', name: `${name}/secret` },
    files: [{ sha256: largeFile.oid }],
  }),
  createTag: () => ({ tag: 'v1' }),
  getBucketPathsInfo: () => ({ paths: ['x.txt'] }),
  changeBucketFiles: () => ({ type: 'deleteFile', path: 'x.txt' }),
  getPathsInfo: () => ({ paths: ['.gitattributes'] }),
  preupload: () => ({ files: [{ path: 'x.txt', size: 1 }] }),
  validateCard: () => ({ content: '# Hi' }),
  squashBranch: () => ({}),
  duplicateRepo: ({ name }) => ({ repository: `${name}/copy` }),
  createCommit: () => ({ summary: 'change', files: [{ path: 'x.txt', content: 'x' }] }),
  handleAccessRequest: () => ({ user: 'ada', status: 'accepted' }),
  handleAccessRequests: () => ({ requests: [{ user: 'ada' }], status: 'accepted' }),
  grantAccess: () => ({ user: 'ada' }),
  createCollection: ({ name, resourceGroupId }) => ({
    ...{ title: `One more ${Math.random()}`, namespace: name, private: true, resourceGroupId },
  }),
  addCollectionItem: ({ name }) => ({ item: { type: 'model', id: `${name}/secret` } }),
  updateCollectionItems: () => [{ action: 'update', _id: NOBODY, data: { position: 0 } }],
  createCustomRole: () => ({ name: 'reviewer', base: 'read' }),
  createResourceGroup: ({ name }) => ({ name: 'theirs', repos: [{ type: 'model', name: `${name}/secret` }] }),
  addResourceGroupUsers: () => ({ users: [{ user: 'bob', role: 'admin' }] }),
  updateResourceGroupUser: () => ({ role: 'admin' }),
  setRepoResourceGroup: () => ({ resourceGroupId: null }),
  setCollectionResourceGroup: () => ({ resourceGroupId: null }),
  createDiscussion: () => ({ title: 'Why?', description: 'Because' }),
  commentDiscussion: () => text,
  editComment: () => ({ content: 'Because' }),
  changeDiscussionStatus: () => ({ status: 'closed' }),
  renameDiscussion: () => ({ title: 'What?' }),
  pinDiscussion: () => ({ pinned: true }),
  commentPaper: () => text,
  replyToPaperComment: () => text,
  claimPaper: () => ({ paperId: '2401.00001' }),
  commentPost: () => text,
  replyToPostComment: () => text,
  commentArticle: () => text,
  replyToArticleComment: () => text,
  commentCanonicalArticle: () => text,
  replyToCanonicalArticleComment: () => text,
  createOrganization: () => ({ name: `fresh-${Math.random().toString(36).slice(2)}`, fullname: 'Fresh' }),
  addMember: () => ({ role: 'admin' }),
  changeMemberRole: () => ({ role: 'read' }),
  createInvitation: () => ({ user: 'ada', role: 'read' }),
  revokeMemberToken: () => ({ token: 'hf_unknownUnknown' }),
  updateTokenPolicy: () => ({ policy: 'any' }),
  updateWatched: ({ name }) => ({ add: [{ type: 'repo', id: `${name}/secret` }], delete: [] }),
  updateMuted: ({ name }) => ({ add: [{ type: 'repo', id: `${name}/secret` }], delete: [] }),
  updateNotificationSettings: () => ({ notifications: { web_discussions_watched: true } }),
  deleteNotifications: ({ discussionId }) => ({ discussionIds: [discussionId] }),
  restoreNotifications: ({ discussionId }) => ({ discussionIds: [discussionId] }),
  markNotifications: ({ discussionId }) => ({ discussionIds: [discussionId], read: true }),
  runJob: job,
  createScheduledJob: (values) => ({ jobSpec: job(values), schedule: '@daily' }),
  updateJobLabels: () => ({ labels: { some: 'label' } }),
  updateJobExpose: () => ({ ports: [] }),
  updateJobSchedule: () => ({ schedule: '@hourly' }),
  updateScheduledJobLabels: () => ({ labels: { some: 'label' } }),
  createWebhook: hook,
  updateWebhook: hook,
  rotateWebhookSecret: () => ({ secret: 'another' }),
  openWebhookStream: ({ name }) => ({ watched: [{ type: 'org', name }] }),
  acknowledgeDelivery: () => ({ status: 200, durationMs: 1 }),
};

const of = (name: string, kind: string) => [`urn:ietf:params:scim:${kind}:2.0:${name}`];

function scimBody({ path, method }: RouteDeclaration): unknown {
  if (path.endsWith('/.search')) return { schemas: of('SearchRequest', 'api:messages') };
  if (path.includes('/links')) return { groupId: NOBODY, role: 'read' };
  if (method === 'PATCH')
    return { schemas: of('PatchOp', 'api:messages'), Operations: [{ op: 'replace', value: { externalId: 'x' } }] };
  if (path.includes('/Groups')) return { schemas: of('Group', 'schemas:core'), displayName: 'x', members: [] };
  const name = { givenName: 'A', familyName: 'B' };
  return { schemas: of('User', 'schemas:core'), userName: 'somebody', externalId: 'x', name, active: true };
}

/** Returns the body for an operation; throws if the operation needs one and this file defines none. */
export function bodyOf(route: RouteDeclaration, values: PathValues): unknown {
  if (route.method === 'GET') return undefined;
  const given = BODIES[route.id];
  if (given) return given(values);
  if (route.path.includes('/scim')) return route.method === 'DELETE' ? undefined : scimBody(route);
  if (route.rawBody) throw new Error(`Say in BODIES what is sent to ${route.id}`);
  if (!route.body) return undefined;
  if (route.body.safeParse({}).success) return {};
  throw new Error(`Say in BODIES what is sent to ${route.id}`);
}
