import type { RouteDeclaration } from '@moonbase/contract/route';
import { routesByModule } from '@moonbase/contract/routes';
import { describe, expect, test } from 'vitest';
import * as accessTokens from './generated/access-tokens.ts';
import * as admin from './generated/admin.ts';
import * as applications from './generated/applications.ts';
import * as auditLog from './generated/audit-log.ts';
import * as authentication from './generated/authentication.ts';
import * as avatars from './generated/avatars.ts';
import * as collections from './generated/collections.ts';
import * as content from './generated/content.ts';
import * as roles from './generated/custom-roles.ts';
import * as discovery from './generated/discovery.ts';
import * as discussions from './generated/discussions.ts';
import * as email from './generated/email.ts';
import * as followers from './generated/followers.ts';
import * as gating from './generated/gating.ts';
import * as invitations from './generated/invitations.ts';
import * as jobs from './generated/jobs.ts';
import * as largeFiles from './generated/large-files.ts';
import * as likes from './generated/likes.ts';
import * as mail from './generated/mail.ts';
import * as memberTokens from './generated/member-tokens.ts';
import * as members from './generated/members.ts';
import * as mirrors from './generated/mirrors.ts';
import * as notifications from './generated/notifications.ts';
import * as oauth from './generated/oauth.ts';
import * as organizations from './generated/organizations.ts';
import * as papers from './generated/papers.ts';
import * as personalData from './generated/personal-data.ts';
import * as posts from './generated/posts.ts';
import * as profiles from './generated/profiles.ts';
import * as quotas from './generated/quotas.ts';
import * as repositories from './generated/repositories.ts';
import * as groups from './generated/resource-groups.ts';
import * as scheduledJobs from './generated/scheduled-jobs.ts';
import * as scim from './generated/scim.ts';
import * as scimDiscovery from './generated/scim-discovery.ts';
import * as scimLinks from './generated/scim-links.ts';
import * as scimProvisioning from './generated/scim-provisioning.ts';
import * as secondFactors from './generated/second-factors.ts';
import * as service from './generated/service.ts';
import * as sessions from './generated/sessions.ts';
import * as settings from './generated/settings.ts';
import * as singleSignOn from './generated/single-sign-on.ts';
import * as spaces from './generated/spaces.ts';
import * as trustedPublishers from './generated/trusted-publishers.ts';
import * as users from './generated/users.ts';
import * as watching from './generated/watching.ts';
import * as replays from './generated/webhook-replays.ts';
import * as streams from './generated/webhook-streams.ts';
import * as webhooks from './generated/webhooks.ts';
import type { Fetch, Hub } from './request.ts';

const functions: Record<string, unknown> = {
  ...service,
  ...profiles,
  ...avatars,
  ...repositories,
  ...largeFiles,
  ...followers,
  ...likes,
  ...mirrors,
  ...gating,
  ...spaces,
  ...collections,
  ...discovery,
  ...content,
  ...roles,
  ...groups,
  ...discussions,
  ...papers,
  ...posts,
  ...personalData,
  ...quotas,
  ...notifications,
  ...webhooks,
  ...replays,
  ...streams,
  ...users,
  ...watching,
  ...settings,
  ...mail,
  ...admin,
  ...accessTokens,
  ...authentication,
  ...sessions,
  ...secondFactors,
  ...email,
  ...singleSignOn,
  ...oauth,
  ...applications,
  ...trustedPublishers,
  ...organizations,
  ...members,
  ...invitations,
  ...memberTokens,
  ...auditLog,
  ...scimDiscovery,
  ...scim,
  ...scimProvisioning,
  ...scimLinks,
  ...jobs,
  ...scheduledJobs,
};

const repo = { type: 'model', repo: 'ada/x' } as const;
const discussion = { ...repo, num: 7 };
const dataset = { type: 'dataset', repo: 'ada/x' } as const;
const sha256 = '0'.repeat(64);
const object = { oid: sha256, size: 3 };
const file = { repo: 'ada/x', revisionAndPath: 'main/a.txt' };
const webhook: webhooks.WebhookInput = {
  watched: [{ type: 'user', name: 'ada' }],
  url: 'https://example.com/hook',
  domains: ['repo'],
};
const space = { repo: 'ada/x' };
const webhookId = 'w';
const post = { username: 'ada', postSlug: 'hello' };
const article = { namespace: 'ada', slug: 'long-read' };
const picture = new Blob(['…'], { type: 'image/png' });
const reply = { commentId: 'c', comment: 'Yes' };

/** Returns the same calls with another response. */
const answering =
  ({ fetch }: Hub, answer: object): Fetch =>
  async (url, init) => {
    await fetch?.(url, init);
    return Response.json(answer);
  };
const oneJob = { namespace: 'ada', jobId: 'j' };
const job: jobs.JobSpecification = { dockerImage: 'python:3.12', flavor: 'cpu-basic' };
const acme = { organization: 'acme' };
const group = { ...acme, resourceGroupId: '0'.repeat(24) };
const org = { name: 'acme' };
const member = { ...org, username: 'ada' };
const operations = [{ op: 'replace', path: 'active', value: false }];
const collection = { namespace: 'ada', slug: `letters-${'0'.repeat(24)}` };
const memberToken = { ...org, tokenId: 't' };

/** One call of each operation with parameters. */
const calls: Record<string, (hub: Hub) => unknown> = {
  likeRepo: (hub) => likes.likeRepo({ ...hub, ...repo }),
  unlikeRepo: (hub) => likes.unlikeRepo({ ...hub, ...repo }),
  listLikers: (hub) => likes.listLikers({ ...hub, ...repo, pageSize: 10 }).next(),
  listLikedRepos: (hub) => likes.listLikedRepos({ ...hub, username: 'ada' }).next(),
  askAccess: (hub) => gating.askAccess({ ...hub, repo: 'ada/x', fields: { Company: 'Acme' } }),
  askAccessOfType: (hub) => gating.askAccessOfType({ ...hub, ...dataset }),
  cancelAccessRequest: (hub) => gating.cancelAccessRequest({ ...hub, ...repo }),
  listAccessRequests: (hub) => gating.listAccessRequests({ ...hub, ...repo, status: 'pending', limit: 10 }),
  handleAccessRequest: (hub) => gating.handleAccessRequest({ ...hub, ...repo, user: 'bob', status: 'accepted' }),
  handleAccessRequests: (hub) =>
    gating.handleAccessRequests({ ...hub, ...repo, status: 'accepted', requests: [{ user: 'bob' }] }),
  grantAccess: (hub) => gating.grantAccess({ ...hub, ...repo, user: 'bob' }),
  getUserAccessReport: (hub) => gating.getUserAccessReport({ ...hub, repo: 'ada/x' }),
  getUserAccessReportOfType: (hub) => gating.getUserAccessReportOfType({ ...hub, ...dataset }),
  listCollections: (hub) => collections.listCollections({ ...hub, owner: 'ada', sort: 'upvotes', pageSize: 20 }).next(),
  createCollection: (hub) => collections.createCollection({ ...hub, title: 'Letters', private: true }),
  getCollection: (hub) => collections.getCollection({ ...hub, ...collection }),
  getCollectionById: (hub) => collections.getCollectionById({ ...hub, collectionId: '0'.repeat(24) }),
  updateCollection: (hub) => collections.updateCollection({ ...hub, ...collection, theme: 'pink' }),
  deleteCollection: (hub) => collections.deleteCollection({ ...hub, ...collection }),
  addCollectionItem: (hub) =>
    collections.addCollectionItem({ ...hub, ...collection, item: { type: 'model', id: 'ada/bert' } }),
  updateCollectionItem: (hub) => collections.updateCollectionItem({ ...hub, ...collection, itemId: 'i', position: 0 }),
  updateCollectionItems: (hub) =>
    collections.updateCollectionItems({
      ...hub,
      ...collection,
      changes: [{ action: 'update', _id: '0'.repeat(24), data: { position: 0 } }],
    }),
  deleteCollectionItem: (hub) => collections.deleteCollectionItem({ ...hub, ...collection, itemId: 'i' }),
  upvoteCollection: (hub) => collections.upvoteCollection({ ...hub, ...collection }),
  withdrawCollectionUpvote: (hub) => collections.withdrawCollectionUpvote({ ...hub, ...collection }),
  listSpaceVariables: (hub) => spaces.listSpaceVariables({ ...hub, ...space }),
  setSpaceVariable: (hub) => spaces.setSpaceVariable({ ...hub, ...space, key: 'K', value: 'v', description: 'why' }),
  deleteSpaceVariable: (hub) => spaces.deleteSpaceVariable({ ...hub, ...space, key: 'K' }),
  listSpaceSecrets: (hub) => spaces.listSpaceSecrets({ ...hub, ...space }),
  setSpaceSecret: (hub) => spaces.setSpaceSecret({ ...hub, ...space, key: 'S', value: 'v' }),
  deleteSpaceSecret: (hub) => spaces.deleteSpaceSecret({ ...hub, ...space, key: 'S' }),
  setSpaceVolumes: (hub) =>
    spaces.setSpaceVolumes({ ...hub, ...space, volumes: [{ type: 'model', source: 'ada/x', mountPath: '/m' }] }),
  deleteSpaceVolumes: (hub) => spaces.deleteSpaceVolumes({ ...hub, ...space }),
  getSpaceRuntime: (hub) => spaces.getSpaceRuntime({ ...hub, ...space }),
  pauseSpace: (hub) => spaces.pauseSpace({ ...hub, ...space }),
  streamSpaceEvents: (hub) => spaces.streamSpaceEvents({ ...hub, ...space }),
  streamSpaceMetrics: (hub) => spaces.streamSpaceMetrics({ ...hub, ...space }),
  restartSpace: (hub) => spaces.restartSpace({ ...hub, ...space, factory: 'true' }),
  requestSpaceHardware: (hub) => spaces.requestSpaceHardware({ ...hub, ...space, flavor: 't4-small' }),
  setSpaceSleepTime: (hub) => spaces.setSpaceSleepTime({ ...hub, ...space, seconds: 60 }),
  setSpaceDevMode: (hub) => spaces.setSpaceDevMode({ ...hub, ...space, enabled: true }),
  requestSpaceStorage: (hub) => spaces.requestSpaceStorage({ ...hub, ...space, tier: 'small' }),
  deleteSpaceStorage: (hub) => spaces.deleteSpaceStorage({ ...hub, ...space }),
  streamBucketChanges: (hub) =>
    content.streamBucketChanges({ ...hub, repo: 'ada/x', since: '2026-01-31T12:00:00.000Z' }).next(),
  streamSpaceLogs: (hub) => content.streamSpaceLogs({ ...hub, ...space, kind: 'run' }).next(),
  getMirror: (hub) => mirrors.getMirror({ ...hub, ...repo }),
  createMirror: (hub) => mirrors.createMirror({ ...hub, ...repo, url: 'https://example.com/letters' }),
  updateMirror: (hub) => mirrors.updateMirror({ ...hub, ...repo, interval: 3600 }),
  deleteMirror: (hub) => mirrors.deleteMirror({ ...hub, ...repo }),
  syncMirror: (hub) => mirrors.syncMirror({ ...hub, ...repo }),
  listMirrors: (hub) => mirrors.listMirrors({ ...hub, failing: true }).next(),
  removeMirror: (hub) => mirrors.removeMirror({ ...hub, id: '0'.repeat(24) }),
  signIn: (hub) => authentication.signIn({ ...hub, name: 'ada', password: 'seven quiet herons' }),
  signInSecondStep: (hub) => authentication.signInSecondStep({ ...hub, code: '123456' }),
  signInWithToken: (hub) => authentication.signInWithToken({ ...hub, token: 'hf_somebodyHasThisToken' }),
  signOut: (hub) => authentication.signOut(hub),
  getSignInMethods: (hub) => authentication.getSignInMethods(hub),
  createUserLink: (hub) => authentication.createUserLink({ ...hub, username: 'ada', purpose: 'reset' }),
  getLink: (hub) => authentication.getLink({ ...hub, code: 'c' }),
  confirmEmail: (hub) => authentication.confirmEmail({ ...hub, code: 'c' }),
  signUp: (hub) => authentication.signUp({ ...hub, email: 'ada@example.com' }),
  requestReset: (hub) => authentication.requestReset({ ...hub, name: 'ada' }),
  getEmail: (hub) => email.getEmail(hub),
  setEmail: (hub) => email.setEmail({ ...hub, email: 'ada@example.com' }),
  beginSingleSignOn: (hub) => singleSignOn.beginSingleSignOn(hub),
  finishSingleSignOn: (hub) => singleSignOn.finishSingleSignOn({ ...hub, path: '/login/oidc/callback?code=c' }),
  endProviderSessions: (hub) => singleSignOn.endProviderSessions({ ...hub, logout_token: 't' }),
  getSingleSignOn: (hub) => singleSignOn.getSingleSignOn({ ...hub, ...acme }),
  setSingleSignOn: (hub) =>
    singleSignOn.setSingleSignOn({ ...hub, ...acme, provider: { issuer: 'https://login.example', clientId: 'c' } }),
  testSingleSignOn: (hub) => singleSignOn.testSingleSignOn({ ...hub, ...acme, issuer: 'https://login.example' }),
  deleteSingleSignOn: (hub) => singleSignOn.deleteSingleSignOn({ ...hub, ...acme }),
  listIdentities: (hub) => singleSignOn.listIdentities(hub),
  linkIdentity: (hub) => singleSignOn.linkIdentity(hub),
  unlinkIdentity: (hub) => singleSignOn.unlinkIdentity({ ...hub, identityId: 'i' }),
  useLink: (hub) => authentication.useLink({ ...hub, code: 'c', password: 'seven quiet herons' }),
  getSecondFactor: (hub) => secondFactors.getSecondFactor(hub),
  beginSecondFactor: (hub) => secondFactors.beginSecondFactor(hub),
  confirmSecondFactor: (hub) => secondFactors.confirmSecondFactor({ ...hub, code: '123456' }),
  setUpSecondFactor: (hub) => secondFactors.setUpSecondFactor(hub),
  renewRecoveryCodes: (hub) => secondFactors.renewRecoveryCodes(hub),
  disableSecondFactor: (hub) => secondFactors.disableSecondFactor(hub),
  getUserSecondFactor: (hub) => secondFactors.getUserSecondFactor({ ...hub, username: 'ada' }),
  resetSecondFactor: (hub) => secondFactors.resetSecondFactor({ ...hub, username: 'ada' }),
  listSessions: (hub) => sessions.listSessions(hub),
  endSession: (hub) => sessions.endSession({ ...hub, sessionId: 's' }),
  endOtherSessions: (hub) => sessions.endOtherSessions(hub),
  listOwnSignIns: (hub) => sessions.listOwnSignIns({ ...hub, outcome: 'refused' }).next(),
  listSignIns: (hub) => sessions.listSignIns({ ...hub, user: 'ada', pageSize: 10 }).next(),
  listUserSessions: (hub) => sessions.listUserSessions({ ...hub, username: 'ada' }),
  endUserSession: (hub) => sessions.endUserSession({ ...hub, username: 'ada', sessionId: 's' }),
  endUserSessions: (hub) => sessions.endUserSessions({ ...hub, username: 'ada' }),
  setPassword: (hub) => sessions.setPassword({ ...hub, password: 'seven quiet herons' }),
  beginDeviceLogin: (hub) => oauth.beginDeviceLogin({ ...hub, client_id: 'c' }),
  exchangeForTokens: (hub) => oauth.exchangeForTokens({ ...hub, grant_type: 'refresh_token', refresh_token: 'r' }),
  revokeOauthToken: (hub) => oauth.revokeOauthToken({ ...hub, token: 't' }),
  getDeviceLogin: (hub) => oauth.getDeviceLogin({ ...hub, userCode: 'ABCD-EFGH' }),
  decideDeviceLogin: (hub) => oauth.decideDeviceLogin({ ...hub, userCode: 'ABCD-EFGH', decision: 'deny' }),
  getAuthorization: (hub) => oauth.getAuthorization({ ...hub, client_id: 'c' }),
  decideAuthorization: (hub) => oauth.decideAuthorization({ ...hub, decision: { client_id: 'c', decision: 'allow' } }),
  createApplication: (hub) => applications.createApplication({ ...hub, name: 'Reader' }),
  updateApplication: (hub) => applications.updateApplication({ ...hub, clientId: 'c', change: { name: 'Writer' } }),
  deleteApplication: (hub) => applications.deleteApplication({ ...hub, clientId: 'c' }),
  listUserGrants: (hub) => applications.listUserGrants({ ...hub, username: 'ada' }),
  endUserGrant: (hub) => applications.endUserGrant({ ...hub, username: 'ada', grantId: 'g' }),
  createUser: (hub) => admin.createUser({ ...hub, name: 'ada' }),
  endGrant: (hub) => applications.endGrant({ ...hub, grantId: 'g' }),
  createTrustedPublisher: (hub) =>
    trustedPublishers.createTrustedPublisher({
      ...hub,
      ...{ resource: 'ada/x', issuer: 'https://ci.example', claims: { sub: 'repo:acme/ci' } },
    }),
  deleteTrustedPublisher: (hub) => trustedPublishers.deleteTrustedPublisher({ ...hub, publisherId: 'p' }),
  listAccessTokens: (hub) => accessTokens.listAccessTokens({ ...hub, pageSize: 10 }).next(),
  createAccessToken: (hub) => accessTokens.createAccessToken({ ...hub, displayName: 'laptop', role: 'read' }),
  deleteAccessToken: (hub) => accessTokens.deleteAccessToken({ ...hub, tokenId: 't', keepCreated: true }),
  listUserTokens: (hub) => accessTokens.listUserTokens({ ...hub, username: 'ada', pageSize: 10 }).next(),
  deleteUserToken: (hub) => accessTokens.deleteUserToken({ ...hub, username: 'ada', tokenId: 't', keepCreated: true }),
  revokeCredentials: (hub) => accessTokens.revokeCredentials({ ...hub, credentials: ['hf_found'] }),
  createOrganization: (hub) => organizations.createOrganization({ ...hub, ...org, fullname: 'Acme Labs' }),
  updateOrganization: (hub) => organizations.updateOrganization({ ...hub, ...org, change: { membersPrivate: true } }),
  deleteOrganization: (hub) => organizations.deleteOrganization({ ...hub, ...org }),
  restoreOrganization: (hub) => organizations.restoreOrganization({ ...hub, ...org }),
  listMembers: (hub) => members.listMembers({ ...hub, ...org, search: 'a', pageSize: 10 }).next(),
  addMember: (hub) => members.addMember({ ...hub, ...member, role: 'read' }),
  removeMember: (hub) => members.removeMember({ ...hub, ...member }),
  changeMemberRole: (hub) => members.changeMemberRole({ ...hub, ...member, role: 'write' }),
  joinOrganization: (hub) => members.joinOrganization({ ...hub, ...org }),
  listInvitations: (hub) => invitations.listInvitations({ ...hub, ...org, pageSize: 10 }).next(),
  createInvitation: (hub) => invitations.createInvitation({ ...hub, ...org, user: 'ada', role: 'read' }),
  deleteInvitation: (hub) => invitations.deleteInvitation({ ...hub, ...org, invitationId: 'i' }),
  listOwnInvitations: (hub) => invitations.listOwnInvitations({ ...hub, pageSize: 10 }).next(),
  acceptInvitation: (hub) => invitations.acceptInvitation({ ...hub, invitationId: 'i' }),
  revokeMemberToken: (hub) => memberTokens.revokeMemberToken({ ...hub, ...org, token: 'hf_found' }),
  revokeMemberTokenById: (hub) => memberTokens.revokeMemberTokenById({ ...hub, ...memberToken }),
  listMemberTokens: (hub) => memberTokens.listMemberTokens({ ...hub, ...org, pageSize: 10 }).next(),
  approveMemberToken: (hub) => memberTokens.approveMemberToken({ ...hub, ...memberToken }),
  denyMemberToken: (hub) => memberTokens.denyMemberToken({ ...hub, ...memberToken }),
  getTokenPolicy: (hub) => memberTokens.getTokenPolicy({ ...hub, ...org }),
  updateTokenPolicy: (hub) => memberTokens.updateTokenPolicy({ ...hub, ...org, policy: 'any' }),
  getUserOverview: (hub) => profiles.getUserOverview({ ...hub, username: 'ada' }),
  getOrganizationOverview: (hub) => profiles.getOrganizationOverview({ ...hub, name: 'acme' }),
  getUserSocials: (hub) => profiles.getUserSocials({ ...hub, username: 'ada' }),
  getOrganizationSocials: (hub) => profiles.getOrganizationSocials({ ...hub, name: 'acme' }),
  listUserFollowers: (hub) => followers.listUserFollowers({ ...hub, username: 'ada', pageSize: 10 }).next(),
  listFollowedUsers: (hub) => followers.listFollowedUsers({ ...hub, username: 'ada' }).next(),
  listOrganizationFollowers: (hub) => followers.listOrganizationFollowers({ ...hub, name: 'acme' }).next(),
  getOrganizationAvatar: (hub) => avatars.getOrganizationAvatar({ ...hub, name: 'acme' }),
  getUserAvatar: (hub) => avatars.getUserAvatar({ ...hub, username: 'ada' }),
  lfsBatch: (hub) => largeFiles.lfsBatch({ ...hub, repo: 'ada/x', operation: 'upload', objects: [object] }),
  lfsBatchOfType: (hub) => largeFiles.lfsBatchOfType({ ...hub, ...dataset, operation: 'upload', objects: [object] }),
  verifyLfsUpload: (hub) => largeFiles.verifyLfsUpload({ ...hub, repo: 'ada/x', ...object }),
  verifyLfsUploadOfType: (hub) => largeFiles.verifyLfsUploadOfType({ ...hub, ...dataset, ...object }),
  lockFile: (hub) => largeFiles.lockFile({ ...hub, repo: 'ada/x', path: 'a.bin' }),
  lockFileOfType: (hub) => largeFiles.lockFileOfType({ ...hub, ...dataset, path: 'a.bin' }),
  listLocks: (hub) => largeFiles.listLocks({ ...hub, fetch: answering(hub, { locks: [] }), repo: 'ada/x' }).next(),
  listLocksOfType: (hub) =>
    largeFiles.listLocksOfType({ ...hub, fetch: answering(hub, { locks: [] }), ...dataset, path: 'a.bin' }).next(),
  verifyLocks: (hub) => largeFiles.verifyLocks({ ...hub, repo: 'ada/x', ref: { name: 'refs/heads/main' } }),
  verifyLocksOfType: (hub) => largeFiles.verifyLocksOfType({ ...hub, ...dataset }),
  unlockFile: (hub) => largeFiles.unlockFile({ ...hub, repo: 'ada/x', lockId: 'l' }),
  unlockFileOfType: (hub) => largeFiles.unlockFileOfType({ ...hub, ...dataset, lockId: 'l', force: true }),
  putLargeFile: (hub) => largeFiles.putLargeFile({ ...hub, address: 'a', file: picture }),
  completeLargeFile: (hub) =>
    largeFiles.completeLargeFile({ ...hub, address: 'a', oid: sha256, parts: [{ partNumber: 1, etag: '"e"' }] }),
  getLargeFile: (hub) => largeFiles.getLargeFile({ ...hub, address: 'a' }),
  listLargeFiles: (hub) => largeFiles.listLargeFiles({ ...hub, ...repo, pageSize: 10 }).next(),
  deleteLargeFile: (hub) => largeFiles.deleteLargeFile({ ...hub, ...repo, sha: sha256 }),
  deleteLargeFiles: (hub) =>
    largeFiles.deleteLargeFiles({ ...hub, ...repo, deletions: { sha: [sha256], rewriteHistory: false } }),
  duplicateLargeFiles: (hub) =>
    largeFiles.duplicateLargeFiles({ ...hub, ...repo, target: { type: 'model', name: 'ada/y' }, files: [{ sha256 }] }),
  listTree: (hub) => content.listTree({ ...hub, ...repo, revision: 'main/a', pageSize: 10 }).next(),
  getPathsInfo: (hub) => content.getPathsInfo({ ...hub, ...repo, revision: 'main', paths: ['a'] }),
  listCommits: (hub) => content.listCommits({ ...hub, ...repo, revision: 'main', limit: 10 }),
  getRepoStorage: (hub) => content.getRepoStorage({ ...hub, ...repo }),
  maintainRepo: (hub) => content.maintainRepo({ ...hub, ...repo }),
  maintainRepoById: (hub) => content.maintainRepoById({ ...hub, id: '0'.repeat(24) }),
  getTreeSize: (hub) => content.getTreeSize({ ...hub, ...repo, revisionAndPath: 'main/a' }),
  downloadModelFile: (hub) => content.downloadModelFile({ ...hub, ...file }),
  downloadCachedFile: (hub) => content.downloadCachedFile({ ...hub, ...file, type: 'space' }),
  downloadFile: (hub) => content.downloadFile({ ...hub, ...file, type: 'dataset' }),
  downloadRawModelFile: (hub) => content.downloadRawModelFile({ ...hub, ...file }),
  downloadRawFile: (hub) => content.downloadRawFile({ ...hub, ...file, type: 'space' }),
  listBucketTree: (hub) =>
    content
      .listBucketTree({ ...hub, repo: 'ada/x', recursive: false, sort: 'path', direction: 'asc', pageSize: 10 })
      .next(),
  listBucketTreeBelow: (hub) =>
    content.listBucketTreeBelow({ ...hub, repo: 'ada/x', prefix: 'a/b', pageSize: 10 }).next(),
  getBucketPathsInfo: (hub) => content.getBucketPathsInfo({ ...hub, repo: 'ada/x', paths: ['a'] }),
  changeBucketFiles: (hub) => content.changeBucketFiles({ ...hub, repo: 'ada/x', operations: picture }),
  downloadBucketFile: (hub) => content.downloadBucketFile({ ...hub, repo: 'ada/x', path: 'a/b.txt' }),
  preupload: (hub) => content.preupload({ ...hub, ...repo, revision: 'main', files: [{ path: 'a', size: 1 }] }),
  validateCard: (hub) => content.validateCard({ ...hub, content: '# Hi', type: 'model' }),
  compareRevisions: (hub) => content.compareRevisions({ ...hub, ...repo, compared: 'main...dev' }),
  createCommit: (hub) => content.createCommit({ ...hub, ...repo, branch: 'main', operations: picture }),
  duplicateRepo: (hub) => content.duplicateRepo({ ...hub, ...repo, to: 'ada/y', visibility: 'private' }),
  squashBranch: (hub) => content.squashBranch({ ...hub, ...repo, branch: 'main', message: 'One' }),
  getAvatar: (hub) => avatars.getAvatar({ ...hub, namespace: 'ada' }),
  getGeneratedAvatar: (hub) => avatars.getGeneratedAvatar({ ...hub, file: `${'0'.repeat(24)}.svg` }),
  getUploadedAvatar: (hub) => avatars.getUploadedAvatar({ ...hub, file: `${'0'.repeat(64)}.webp` }),
  setOrganizationAvatar: (hub) => avatars.setOrganizationAvatar({ ...hub, name: 'acme', picture }),
  setUserAvatar: (hub) => avatars.setUserAvatar({ ...hub, username: 'ada', picture }),
  deleteOrganizationAvatar: (hub) => avatars.deleteOrganizationAvatar({ ...hub, name: 'acme' }),
  deleteUserAvatar: (hub) => avatars.deleteUserAvatar({ ...hub, username: 'ada' }),
  createRepo: (hub) => repositories.createRepo({ ...hub, repo: 'ada/x' }),
  createBucket: (hub) => repositories.createBucket({ ...hub, repo: 'ada/x', visibility: 'private' }),
  deleteRepo: (hub) => repositories.deleteRepo({ ...hub, repo: 'ada/x' }),
  deleteBucket: (hub) => repositories.deleteBucket({ ...hub, repo: 'ada/x' }),
  moveRepo: (hub) => repositories.moveRepo({ ...hub, from: 'ada/x', to: 'ada/y' }),
  updateRepoSettings: (hub) => repositories.updateRepoSettings({ ...hub, ...repo, settings: { private: true } }),
  createBranch: (hub) => repositories.createBranch({ ...hub, ...repo, branch: 'a', startingPoint: 'main' }),
  deleteBranch: (hub) => repositories.deleteBranch({ ...hub, ...repo, branch: 'a' }),
  createTag: (hub) => repositories.createTag({ ...hub, ...repo, tag: 'v1', revision: 'main' }),
  deleteTag: (hub) => repositories.deleteTag({ ...hub, ...repo, tag: 'v1' }),
  getRepo: (hub) => repositories.getRepo({ ...hub, ...repo, expand: ['sha'] }),
  getRepoAtRevision: (hub) => repositories.getRepoAtRevision({ ...hub, ...repo, revision: 'v1' }),
  listBuckets: (hub) => repositories.listBuckets({ ...hub, namespace: 'me', search: 'x' }).next(),
  getBucket: (hub) => repositories.getBucket({ ...hub, repo: 'ada/x' }),
  listRefs: (hub) => repositories.listRefs({ ...hub, ...repo, includePullRequests: true }),
  checkAccess: (hub) => repositories.checkAccess({ ...hub, ...repo }),
  getRepoSettings: (hub) => repositories.getRepoSettings({ ...hub, ...repo }),
  checkWriteAccess: (hub) => repositories.checkWriteAccess({ ...hub, ...repo }),
  listRepos: (hub) => repositories.listRepos({ ...hub, type: 'model', pageSize: 10 }).next(),
  listOrganizationRepos: (hub) => repositories.listOrganizationRepos({ ...hub, organization: 'acme' }).next(),
  listModels: (hub) => repositories.listModels({ ...hub, search: ['bert'], filter: ['chat'], pageSize: 10 }).next(),
  listDatasets: (hub) => repositories.listDatasets({ ...hub, author: 'acme', sort: 'downloads' }).next(),
  listSpaces: (hub) => repositories.listSpaces({ ...hub, models: ['acme/bert'], full: true }).next(),
  listModelTags: (hub) => discovery.listModelTags({ ...hub, type: 'license' }),
  listDatasetTags: (hub) => discovery.listDatasetTags(hub),
  listTrending: (hub) => discovery.listTrending({ ...hub, type: 'space', limit: 3 }),
  searchSpaces: (hub) => discovery.searchSpaces({ ...hub, q: 'draw a cat', sdk: ['gradio'] }),
  quickSearch: (hub) => discovery.quickSearch({ ...hub, q: 'bert', type: ['model', 'user'], limit: 3 }),
  quickSearchByBody: (hub) => discovery.quickSearchByBody({ ...hub, q: 'bert', exclude: ['models/ada/x'], limit: 3 }),
  listKernels: (hub) => repositories.listKernels({ ...hub, direction: '1' }).next(),
  listCustomRoles: (hub) => roles.listCustomRoles({ ...hub, ...acme, pageSize: 10 }).next(),
  createCustomRole: (hub) => roles.createCustomRole({ ...hub, ...acme, name: 'auditor', base: 'read' }),
  updateCustomRole: (hub) => roles.updateCustomRole({ ...hub, ...acme, role: 'auditor', description: null }),
  deleteCustomRole: (hub) => roles.deleteCustomRole({ ...hub, ...acme, role: 'auditor' }),
  explainAccess: (hub) => roles.explainAccess({ ...hub, ...acme, user: 'ada', repo: 'x' }),
  listResourceGroups: (hub) => groups.listResourceGroups({ ...hub, ...acme }),
  createResourceGroup: (hub) => groups.createResourceGroup({ ...hub, ...acme, name: 'Research' }),
  getResourceGroup: (hub) => groups.getResourceGroup({ ...hub, ...group }),
  updateResourceGroup: (hub) => groups.updateResourceGroup({ ...hub, ...group, description: 'Ours' }),
  deleteResourceGroup: (hub) => groups.deleteResourceGroup({ ...hub, ...group }),
  configureResourceGroup: (hub) => groups.configureResourceGroup({ ...hub, ...group, autoJoin: { enabled: 'false' } }),
  addResourceGroupUsers: (hub) =>
    groups.addResourceGroupUsers({ ...hub, ...group, users: [{ name: 'ada', role: 'write' }] }),
  updateResourceGroupUser: (hub) =>
    groups.updateResourceGroupUser({ ...hub, ...group, username: 'ada', role: 'auditor' }),
  removeResourceGroupUser: (hub) => groups.removeResourceGroupUser({ ...hub, ...group, username: 'ada' }),
  setRepoResourceGroup: (hub) => groups.setRepoResourceGroup({ ...hub, ...repo, resourceGroupId: null }),
  getRepoResourceGroup: (hub) => groups.getRepoResourceGroup({ ...hub, ...repo }),
  setCollectionResourceGroup: (hub) =>
    groups.setCollectionResourceGroup({ ...hub, ...collection, resourceGroupId: null }),
  getCollectionResourceGroup: (hub) => groups.getCollectionResourceGroup({ ...hub, ...collection }),
  createDiscussion: (hub) => discussions.createDiscussion({ ...hub, ...repo, title: 'A typo', description: '' }),
  commentDiscussion: (hub) => discussions.commentDiscussion({ ...hub, ...discussion, comment: 'Yes' }),
  editComment: (hub) => discussions.editComment({ ...hub, ...discussion, commentId: 'c', content: 'No' }),
  hideComment: (hub) => discussions.hideComment({ ...hub, ...discussion, commentId: 'c' }),
  changeDiscussionStatus: (hub) => discussions.changeDiscussionStatus({ ...hub, ...discussion, status: 'closed' }),
  renameDiscussion: (hub) => discussions.renameDiscussion({ ...hub, ...discussion, title: 'A title' }),
  pinDiscussion: (hub) => discussions.pinDiscussion({ ...hub, ...discussion, pinned: true }),
  deletePullRequestRef: (hub) => discussions.deletePullRequestRef({ ...hub, ...discussion }),
  listDiscussions: (hub) => discussions.listDiscussions({ ...hub, ...repo, kind: 'pull_request', page: 1 }),
  getDiscussion: (hub) => discussions.getDiscussion({ ...hub, ...discussion }),
  getPullRequestStorage: (hub) => discussions.getPullRequestStorage({ ...hub, ...discussion }),
  mergePullRequest: (hub) => discussions.mergePullRequest({ ...hub, ...discussion }),
  deleteDiscussion: (hub) => discussions.deleteDiscussion({ ...hub, ...discussion }),
  getPaper: (hub) => papers.getPaper({ ...hub, paperId: '2401.01234', field: 'comments' }),
  getPaperText: (hub) => papers.getPaperText({ ...hub, paperId: '2401.01234' }),
  commentPaper: (hub) => papers.commentPaper({ ...hub, paperId: '2401.01234', comment: 'Yes' }),
  searchPapers: (hub) => papers.searchPapers({ ...hub, q: 'moons', limit: 5 }),
  listDailyPapers: (hub) => papers.listDailyPapers({ ...hub, page: 1, date: '2026-01-31' }),
  hidePaperComment: (hub) => papers.hidePaperComment({ ...hub, paperId: '2401.01234', commentId: 'c' }),
  replyToPaperComment: (hub) => papers.replyToPaperComment({ ...hub, paperId: '2401.01234', ...reply }),
  claimPaper: (hub) => papers.claimPaper({ ...hub, paperId: '2401.01234' }),
  listPaperClaims: (hub) => papers.listPaperClaims({ ...hub, pageSize: 10 }).next(),
  listAllPaperClaims: (hub) => papers.listAllPaperClaims({ ...hub, status: 'claim_verified' }).next(),
  verifyPaperClaim: (hub) => papers.verifyPaperClaim({ ...hub, claimId: 'c' }),
  rejectPaperClaim: (hub) => papers.rejectPaperClaim({ ...hub, claimId: 'c' }),
  getPost: (hub) => posts.getPost({ ...hub, ...post }),
  deletePost: (hub) => posts.deletePost({ ...hub, ...post }),
  commentPost: (hub) => posts.commentPost({ ...hub, ...post, comment: 'Yes' }),
  hidePostComment: (hub) => posts.hidePostComment({ ...hub, ...post, commentId: 'c' }),
  replyToPostComment: (hub) => posts.replyToPostComment({ ...hub, ...post, ...reply }),
  getArticle: (hub) => posts.getArticle({ ...hub, ...article }),
  commentArticle: (hub) => posts.commentArticle({ ...hub, ...article, comment: 'Yes' }),
  hideArticleComment: (hub) => posts.hideArticleComment({ ...hub, ...article, commentId: 'c' }),
  replyToArticleComment: (hub) => posts.replyToArticleComment({ ...hub, ...article, ...reply }),
  getCanonicalArticle: (hub) => posts.getCanonicalArticle({ ...hub, slug: 'long-read' }),
  commentCanonicalArticle: (hub) => posts.commentCanonicalArticle({ ...hub, slug: 'long-read', comment: 'Yes' }),
  hideCanonicalArticleComment: (hub) =>
    posts.hideCanonicalArticleComment({ ...hub, slug: 'long-read', commentId: 'c' }),
  replyToCanonicalArticleComment: (hub) =>
    posts.replyToCanonicalArticleComment({ ...hub, slug: 'long-read', ...reply }),
  updateWatched: (hub) => watching.updateWatched({ ...hub, add: [{ type: 'user', id: 'ada' }] }),
  listWatched: (hub) => watching.listWatched({ ...hub, pageSize: 10 }).next(),
  updateMuted: (hub) => watching.updateMuted({ ...hub, delete: [{ type: 'repo', id: 'ada/x' }] }),
  listMuted: (hub) => watching.listMuted(hub).next(),
  updateNotificationSettings: (hub) =>
    settings.updateNotificationSettings({ ...hub, notifications: { locked_out: false }, prepaidAmount: '1' }),
  updateMcpSettings: (hub) => settings.updateMcpSettings({ ...hub, spaceTools: [{ name: 'ada/space' }] }),
  listNotifications: (hub) =>
    notifications
      .listNotifications({
        ...hub,
        fetch: answering(hub, { notifications: [], count: { view: 0 } }),
        mention: 'mentions',
      })
      .next(),
  listDoneNotifications: (hub) => notifications.listDoneNotifications({ ...hub, page: 1, readStatus: 'unread' }),
  restoreNotifications: (hub) => notifications.restoreNotifications({ ...hub, discussionIds: ['0'.repeat(24)] }),
  deleteNotifications: (hub) => notifications.deleteNotifications({ ...hub, discussionIds: ['0'.repeat(24)] }),
  markNotifications: (hub) => notifications.markNotifications({ ...hub, applyToAll: true, readStatus: 'unread' }),
  streamNotifications: (hub) => notifications.streamNotifications(hub).next(),
  listJobs: (hub) => jobs.listJobs({ ...hub, namespace: 'ada', stage: 'ERROR', label: 'a=b', pageSize: 10 }).next(),
  runJob: (hub) => jobs.runJob({ ...hub, namespace: 'ada', job }),
  countJobs: (hub) => jobs.countJobs({ ...hub, namespace: 'ada', stage: 'RUNNING' }),
  getJob: (hub) => jobs.getJob({ ...hub, ...oneJob }),
  streamJobLogs: (hub) => jobs.streamJobLogs({ ...hub, ...oneJob, tail: 3 }).next(),
  streamJobEvents: (hub) => jobs.streamJobEvents({ ...hub, ...oneJob }).next(),
  streamJobMetrics: (hub) => jobs.streamJobMetrics({ ...hub, ...oneJob }).next(),
  cancelJob: (hub) => jobs.cancelJob({ ...hub, ...oneJob }),
  duplicateJob: (hub) => jobs.duplicateJob({ ...hub, ...oneJob }),
  updateJobLabels: (hub) => jobs.updateJobLabels({ ...hub, ...oneJob, labels: { a: 'b' } }),
  updateJobExpose: (hub) => jobs.updateJobExpose({ ...hub, ...oneJob, ports: [] }),
  checkJobsAccess: (hub) => jobs.checkJobsAccess({ ...hub, namespace: 'ada', perms: 'read' }),
  checkJobAccess: (hub) => jobs.checkJobAccess({ ...hub, ...oneJob, perms: 'write' }),
  createScheduledJob: (hub) =>
    scheduledJobs.createScheduledJob({ ...hub, namespace: 'ada', jobSpec: job, schedule: '@hourly' }),
  listScheduledJobs: (hub) => scheduledJobs.listScheduledJobs({ ...hub, namespace: 'ada', label: 'a=b' }).next(),
  getScheduledJob: (hub) => scheduledJobs.getScheduledJob({ ...hub, ...oneJob }),
  deleteScheduledJob: (hub) => scheduledJobs.deleteScheduledJob({ ...hub, ...oneJob }),
  suspendScheduledJob: (hub) => scheduledJobs.suspendScheduledJob({ ...hub, ...oneJob }),
  resumeScheduledJob: (hub) => scheduledJobs.resumeScheduledJob({ ...hub, ...oneJob }),
  runScheduledJob: (hub) => scheduledJobs.runScheduledJob({ ...hub, ...oneJob }),
  updateJobSchedule: (hub) => scheduledJobs.updateJobSchedule({ ...hub, ...oneJob, schedule: '@daily' }),
  updateScheduledJobLabels: (hub) => scheduledJobs.updateScheduledJobLabels({ ...hub, ...oneJob, labels: {} }),
  createWebhook: (hub) => webhooks.createWebhook({ ...hub, webhook }),
  getWebhook: (hub) => webhooks.getWebhook({ ...hub, webhookId }),
  updateWebhook: (hub) => webhooks.updateWebhook({ ...hub, webhookId, webhook }),
  deleteWebhook: (hub) => webhooks.deleteWebhook({ ...hub, webhookId }),
  setWebhookState: (hub) => webhooks.enableWebhook({ ...hub, webhookId }),
  replayDelivery: (hub) => webhooks.replayDelivery({ ...hub, webhookId, logId: 'l' }),
  testWebhook: (hub) => webhooks.testWebhook({ ...hub, webhookId }),
  listDeliveries: (hub) => webhooks.listDeliveries({ ...hub, webhookId, scope: 'repo', pageSize: 10 }).next(),
  listWebhookFigures: (hub) => webhooks.listWebhookFigures(hub),
  listSampleEvents: (hub) => webhooks.listSampleEvents(hub),
  countDeliveries: (hub) => webhooks.countDeliveries({ ...hub, webhookId }),
  getDelivery: (hub) => webhooks.getDelivery({ ...hub, webhookId, logId: 'l' }),
  replayDeliveries: (hub) => replays.replayDeliveries({ ...hub, webhookId, status: 'failed', dryRun: true }),
  getReplay: (hub) => replays.getReplay({ ...hub, webhookId, replayId: 'r' }),
  streamDeliveries: (hub) => streams.streamDeliveries({ ...hub, streamId: 's' }).next(),
  openWebhookStream: (hub) => streams.openWebhookStream({ ...hub, stream: { secret: 'x' } }),
  acknowledgeDelivery: (hub) =>
    streams.acknowledgeDelivery({ ...hub, streamId: 's', deliveryId: 'd', status: 200, durationMs: 1 }),
  testWebhookStream: (hub) => streams.testWebhookStream({ ...hub, streamId: 's', scope: 'repo', action: 'create' }),
  closeWebhookStream: (hub) => streams.closeWebhookStream({ ...hub, streamId: 's' }),
  cancelReplay: (hub) => replays.cancelReplay({ ...hub, webhookId, replayId: 'r' }),
  rotateWebhookSecret: (hub) => webhooks.rotateWebhookSecret({ ...hub, webhookId, secret: 's' }),
  getUnsubscribePage: (hub) => mail.getUnsubscribePage({ ...hub, token: 't' }),
  unsubscribe: (hub) => mail.unsubscribe({ ...hub, token: 't' }),
  exportAuditLog: (hub) => auditLog.exportAuditLog({ ...hub, name: 'acme', q: 'type:repo.*' }),
  listAuditLog: (hub) => auditLog.listAuditLog({ ...hub, name: 'acme', q: 'author:ada', pageSize: 10 }).next(),
  getAuditLogHead: (hub) => auditLog.getAuditLogHead({ ...hub, name: 'acme' }),
  exportSiteAuditLog: (hub) => auditLog.exportSiteAuditLog({ ...hub, q: 'type:user.*' }),
  listSiteAuditLog: (hub) => auditLog.listSiteAuditLog({ ...hub, q: 'author:ada', pageSize: 10 }).next(),
  getSiteAuditLogHead: (hub) => auditLog.getSiteAuditLogHead(hub),
  getScimServiceProviderConfig: (hub) => scimDiscovery.getScimServiceProviderConfig({ ...hub, ...org }),
  listScimResourceTypes: (hub) => scimDiscovery.listScimResourceTypes({ ...hub, ...org }),
  getScimResourceType: (hub) => scimDiscovery.getScimResourceType({ ...hub, ...org, resourceTypeId: 'User' }),
  listScimSchemas: (hub) => scimDiscovery.listScimSchemas({ ...hub, ...org }),
  getScimSchema: (hub) => scimDiscovery.getScimSchema({ ...hub, ...org, schemaId: 'urn:x' }),
  listScimUsers: (hub) => scim.listScimUsers({ ...hub, ...org, startIndex: 1, count: 2, filter: 'id pr' }),
  searchScimUsers: (hub) => scim.searchScimUsers({ ...hub, ...org, search: { count: 1 } }),
  createScimUser: (hub) => scim.createScimUser({ ...hub, ...org, user: { userName: 'ada' } }),
  getScimUser: (hub) => scim.getScimUser({ ...hub, ...org, userId: 'u', attributes: 'userName' }),
  replaceScimUser: (hub) => scim.replaceScimUser({ ...hub, ...org, userId: 'u', user: { userName: 'ada' } }),
  updateScimUser: (hub) => scim.updateScimUser({ ...hub, ...org, userId: 'u', operations }),
  deleteScimUser: (hub) => scim.deleteScimUser({ ...hub, ...org, userId: 'u' }),
  listScimGroups: (hub) => scim.listScimGroups({ ...hub, ...org, excludedAttributes: 'members' }),
  searchScimGroups: (hub) => scim.searchScimGroups({ ...hub, ...org, search: { count: 1 } }),
  createScimGroup: (hub) => scim.createScimGroup({ ...hub, ...org, group: { displayName: 'Staff' } }),
  getScimGroup: (hub) => scim.getScimGroup({ ...hub, ...org, groupId: 'g' }),
  replaceScimGroup: (hub) => scim.replaceScimGroup({ ...hub, ...org, groupId: 'g', group: { displayName: 'Staff' } }),
  updateScimGroup: (hub) => scim.updateScimGroup({ ...hub, ...org, groupId: 'g', operations }),
  deleteScimGroup: (hub) => scim.deleteScimGroup({ ...hub, ...org, groupId: 'g' }),
  listProvisionedUsers: (hub) =>
    scimProvisioning.listProvisionedUsers({ ...hub, ...org, startIndex: 1, count: 2, filter: 'id pr' }),
  searchProvisionedUsers: (hub) => scimProvisioning.searchProvisionedUsers({ ...hub, ...org, search: { count: 1 } }),
  createProvisionedUser: (hub) => scimProvisioning.createProvisionedUser({ ...hub, ...org, user: { userName: 'ada' } }),
  getProvisionedUser: (hub) =>
    scimProvisioning.getProvisionedUser({ ...hub, ...org, userId: 'u', attributes: 'userName' }),
  replaceProvisionedUser: (hub) =>
    scimProvisioning.replaceProvisionedUser({ ...hub, ...org, userId: 'u', user: { userName: 'ada' } }),
  updateProvisionedUser: (hub) => scimProvisioning.updateProvisionedUser({ ...hub, ...org, userId: 'u', operations }),
  deleteProvisionedUser: (hub) => scimProvisioning.deleteProvisionedUser({ ...hub, ...org, userId: 'u' }),
  listProvisionedGroups: (hub) =>
    scimProvisioning.listProvisionedGroups({ ...hub, ...org, excludedAttributes: 'members' }),
  searchProvisionedGroups: (hub) => scimProvisioning.searchProvisionedGroups({ ...hub, ...org, search: { count: 1 } }),
  createProvisionedGroup: (hub) =>
    scimProvisioning.createProvisionedGroup({ ...hub, ...org, group: { displayName: 'Staff' } }),
  getProvisionedGroup: (hub) => scimProvisioning.getProvisionedGroup({ ...hub, ...org, groupId: 'g' }),
  replaceProvisionedGroup: (hub) =>
    scimProvisioning.replaceProvisionedGroup({ ...hub, ...org, groupId: 'g', group: { displayName: 'Staff' } }),
  updateProvisionedGroup: (hub) =>
    scimProvisioning.updateProvisionedGroup({ ...hub, ...org, groupId: 'g', operations }),
  deleteProvisionedGroup: (hub) => scimProvisioning.deleteProvisionedGroup({ ...hub, ...org, groupId: 'g' }),
  listScimLinks: (hub) => scimLinks.listScimLinks({ ...hub, ...org, pageSize: 10 }).next(),
  createScimLink: (hub) => scimLinks.createScimLink({ ...hub, ...org, groupId: '0'.repeat(24), role: 'read' }),
  updateScimLink: (hub) => scimLinks.updateScimLink({ ...hub, ...org, linkId: 'l', role: 'write' }),
  deleteScimLink: (hub) => scimLinks.deleteScimLink({ ...hub, ...org, linkId: 'l' }),
  getUserEntry: (hub) => admin.getUserEntry({ ...hub, username: 'ada' }),
  listUsers: (hub) => admin.listUsers({ ...hub, search: 'ada', pageSize: 10 }).next(),
  listOrganizations: (hub) => admin.listOrganizations({ ...hub, search: 'acme', pageSize: 10 }).next(),
  disableUser: (hub) => users.disableUser({ ...hub, username: 'ada' }),
  enableUser: (hub) => users.enableUser({ ...hub, username: 'ada' }),
  deleteUser: (hub) => users.deleteUser({ ...hub, username: 'ada' }),
  listDeadLetters: (hub) => admin.listDeadLetters({ ...hub, queue: 'events', pageSize: 10 }).next(),
  retryDeadLetter: (hub) => admin.retryDeadLetter({ ...hub, id: '0'.repeat(24) }),
  discardDeadLetter: (hub) => admin.discardDeadLetter({ ...hub, id: '0'.repeat(24) }),
  getOrganizationStorageUsage: (hub) => quotas.getOrganizationStorageUsage({ ...hub, organization: 'acme' }),
  exportOwnData: (hub) => personalData.exportOwnData(hub),
  exportUserData: (hub) => personalData.exportUserData({ ...hub, username: 'ada' }),
  getOwnQuotas: (hub) => quotas.getOwnQuotas(hub),
  getQuota: (hub) => quotas.getQuota({ ...hub, name: 'ada' }),
  updateQuota: (hub) => quotas.updateQuota({ ...hub, name: 'ada', storageGib: 0.5, tokens: null }),
  getRetention: (hub) => admin.getRetention(hub),
  listHubSettings: (hub) => admin.listHubSettings(hub),
  collectStorage: (hub) => admin.collectStorage({ ...hub, dryRun: true }),
  applyHub: (hub) => admin.applyHub({ ...hub, document: { users: [{ name: 'ada' }] } }),
};

describe('every operation of the contract', () => {
  test.each(
    Object.values(routesByModule)
      .flat()
      .map((route) => [route.id, route] as const),
  )('%s sends what its route takes', async (id, route) => {
    const requests: { url: URL; init: RequestInit }[] = [];
    const fetch: Fetch = async (url, init) => {
      requests.push({ url: new URL(url), init });
      return Response.json([]);
    };
    const run = calls[id] ?? (functions[id] as ((hub: Hub) => unknown) | undefined);
    expect(functions[id], `${id} has no function`).toBeTypeOf('function');
    await run?.({ hubUrl: 'http://hub.test', fetch });

    const [{ url, init } = { url: new URL('http://none.test'), init: {} }, ...more] = requests;
    expect(more).toEqual([]);
    expect(init.method).toBe(route.method);
    const match = pattern(route).exec(url.pathname);
    expect(match, `${url.pathname} is not ${route.path}`).not.toBeNull();
    route.params?.parse(match?.groups);
    route.query?.strict().parse(Object.fromEntries(url.searchParams));
    route.body?.parse(JSON.parse(init.body as string));
    expect(init.body === undefined).toBe(route.body === undefined && route.rawBody === undefined);
    if (route.rawBody) expect([init.body, init.headers]).toEqual([picture, {}]);
  });
});

test('disabling a webhook calls the same route with the other state', async () => {
  const fetch: Fetch = async (url) => Response.json({ url });
  const answer: unknown = await webhooks.disableWebhook({ hubUrl: 'http://hub.test', fetch, webhookId });
  expect(answer).toEqual({ url: 'http://hub.test/api/settings/webhooks/w/disable' });
});

test('a picture is requested without the token and returned unchanged', async () => {
  const seen: RequestInit[] = [];
  const fetch: Fetch = async (_, init) => {
    seen.push(init);
    return new Response('<svg/>', { headers: { 'Content-Type': 'image/svg+xml' } });
  };
  const blob = await avatars.getAvatar({ hubUrl: 'http://hub.test', accessToken: 'hf_x', fetch, namespace: 'ada' });
  expect([blob.type, await blob.text()]).toEqual(['image/svg+xml', '<svg/>']);
  expect(seen[0]?.headers).toEqual({});
});

function pattern({ path }: RouteDeclaration): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}
