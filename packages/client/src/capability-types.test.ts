import { readFileSync } from 'node:fs';
import { expect, expectTypeOf, test } from 'vitest';
import type * as client from './index.ts';

type Params<F extends (params: never) => unknown> = Parameters<F>[0];
type Answer<F extends (params: never) => unknown> = Awaited<ReturnType<F>>;
type Listed<F extends (params: never) => AsyncGenerator> =
  ReturnType<F> extends AsyncGenerator<infer T, void, undefined> ? T : never;
type Success = { success: true };
type Role = 'read' | 'write' | 'contributor' | 'admin' | 'no_access';

/** One parameter and one response of each capability, as callers use them. */
const capabilities: Readonly<Record<string, () => void>> = {
  'access-tokens'() {
    expectTypeOf<Listed<typeof client.listAccessTokens>['role']>().toEqualTypeOf<'read' | 'write' | 'fineGrained'>();
    expectTypeOf<Answer<typeof client.createAccessToken>['token']>().toEqualTypeOf<string>();
    expectTypeOf<Listed<typeof client.listAccessTokens>>().not.toHaveProperty('token');
  },
  admin() {
    expectTypeOf<Answer<typeof client.applyHub>['users']['created']>().toEqualTypeOf<number>();
    expectTypeOf<Listed<typeof client.listUsers>>().toEqualTypeOf<client.UserEntry>();
  },
  'audit-log'() {
    expectTypeOf<Params<typeof client.listAuditLog>['q']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Listed<typeof client.listAuditLog>['seq']>().toEqualTypeOf<number>();
    expectTypeOf<Listed<typeof client.listSiteAuditLog>>().toEqualTypeOf<client.SiteAuditEvent>();
  },
  authentication() {
    expectTypeOf<Answer<typeof client.signIn>>().toEqualTypeOf<client.SignedIn>();
    expectTypeOf<Params<typeof client.createUserLink>['purpose']>().toEqualTypeOf<
      Exclude<client.LinkPurpose, 'email' | 'sign-up'>
    >();
  },
  avatars() {
    expectTypeOf<Params<typeof client.setUserAvatar>['picture']>().toEqualTypeOf<Blob>();
    expectTypeOf<Answer<typeof client.getUploadedAvatar>>().toEqualTypeOf<Blob>();
  },
  collections() {
    expectTypeOf<Listed<typeof client.listCollections>>().toEqualTypeOf<client.ListedCollection>();
    expectTypeOf<Answer<typeof client.getCollection>>().toEqualTypeOf<client.Collection>();
    expectTypeOf<Answer<typeof client.upvoteCollection>['upvotes']>().toEqualTypeOf<number>();
  },
  discovery() {
    expectTypeOf<Answer<typeof client.quickSearch>>().toEqualTypeOf<client.QuickSearchResult>();
    expectTypeOf<Answer<typeof client.quickSearchByBody>>().toEqualTypeOf<client.QuickSearchResult>();
    expectTypeOf<Answer<typeof client.searchSpaces>[number]>().toEqualTypeOf<client.FoundSpace>();
    expectTypeOf<Answer<typeof client.listModelTags>>().toBeObject();
  },
  'custom-roles'() {
    expectTypeOf<Listed<typeof client.listCustomRoles>>().toEqualTypeOf<client.CustomRole>();
    expectTypeOf<Params<typeof client.deleteCustomRole>>().toHaveProperty('organization');
  },
  discussions() {
    expectTypeOf<Params<typeof client.changeDiscussionStatus>['status']>().toEqualTypeOf<'open' | 'closed'>();
    expectTypeOf<Answer<typeof client.createDiscussion>['num']>().toEqualTypeOf<number>();
  },
  email() {
    expectTypeOf<Answer<typeof client.getEmail>>().toEqualTypeOf<client.OwnEmail>();
    expectTypeOf<Params<typeof client.setEmail>['email']>().toEqualTypeOf<string | null>();
  },
  followers() {
    expectTypeOf<Listed<typeof client.listUserFollowers>>().toEqualTypeOf<client.UserReference>();
    expectTypeOf<Params<typeof client.listOrganizationFollowers>['name']>().toEqualTypeOf<string>();
  },
  invitations() {
    expectTypeOf<Listed<typeof client.listOwnInvitations>['organization']['name']>().toEqualTypeOf<string>();
    expectTypeOf<Answer<typeof client.acceptInvitation>>().toEqualTypeOf<Success>();
  },
  jobs() {
    expectTypeOf<Answer<typeof client.runJob>>().toEqualTypeOf<client.JobInfo>();
    expectTypeOf<Listed<typeof client.streamJobLogs>>().toEqualTypeOf<client.JobLogLine>();
    expectTypeOf<{ dockerImage: 'a'; flavor: 'cpu-basic' }>().toExtend<client.JobSpecification>();
    expectTypeOf<{ dockerImage: 'a'; flavor: 'fast' }>().not.toExtend<client.JobSpecification>();
  },
  'large-files'() {
    expectTypeOf<Params<typeof client.putLargeFile>['file']>().toEqualTypeOf<Blob>();
    expectTypeOf<Answer<typeof client.lfsBatch>['transfer']>().toEqualTypeOf<'basic' | 'multipart' | 'xet'>();
    expectTypeOf<Listed<typeof client.listLargeFiles>>().toEqualTypeOf<client.LargeFile>();
  },
  gating() {
    expectTypeOf<Answer<typeof client.listAccessRequests>[number]>().toEqualTypeOf<client.AccessRequest>();
    expectTypeOf<Params<typeof client.handleAccessRequest>['status']>().toEqualTypeOf<
      'pending' | 'accepted' | 'rejected'
    >();
  },
  likes() {
    expectTypeOf<Listed<typeof client.listLikedRepos>>().toEqualTypeOf<client.LikedRepo>();
    expectTypeOf<Params<typeof client.likeRepo>['repo']>().toEqualTypeOf<string>();
  },
  mail() {
    expectTypeOf<Answer<typeof client.getUnsubscribePage>>().toEqualTypeOf<string>();
  },
  'member-tokens'() {
    expectTypeOf<Params<typeof client.updateTokenPolicy>['policy']>().toEqualTypeOf<client.TokenPolicy | undefined>();
    expectTypeOf<Listed<typeof client.listMemberTokens>>().toEqualTypeOf<client.MemberToken>();
  },
  members() {
    expectTypeOf<Role>().toExtend<Params<typeof client.changeMemberRole>['role']>();
    expectTypeOf<Listed<typeof client.listMembers>>().toEqualTypeOf<client.OrganizationMember>();
  },
  mirrors() {
    expectTypeOf<Answer<typeof client.getMirror>>().toEqualTypeOf<client.Mirror>();
    expectTypeOf<Listed<typeof client.listMirrors>>().toEqualTypeOf<client.MirrorEntry>();
  },
  spaces() {
    expectTypeOf<Answer<typeof client.getSpaceRuntime>>().toEqualTypeOf<client.SpaceRuntime>();
    expectTypeOf<Listed<typeof client.streamSpaceLogs>>().toEqualTypeOf<client.SpaceLogLine>();
    expectTypeOf<Listed<typeof client.streamBucketChanges>>().toEqualTypeOf<client.BucketEvent>();
  },
  notifications() {
    expectTypeOf<Listed<typeof client.listNotifications>['type']>().toEqualTypeOf<
      'paper' | 'repo' | 'post' | 'community_blog'
    >();
    expectTypeOf<Answer<typeof client.markNotifications>['count']>().toEqualTypeOf<number>();
    expectTypeOf<Answer<typeof client.getNotificationPage>['reasons']>().toEqualTypeOf<
      client.NotificationReason[] | undefined
    >();
    expectTypeOf<Listed<typeof client.streamNotifications>>().toEqualTypeOf<client.NotificationEvent>();
  },
  organizations() {
    expectTypeOf<Answer<typeof client.createOrganization>>().toEqualTypeOf<client.Organization>();
    expectTypeOf<Params<typeof client.updateOrganization>['change']['membersPrivate']>().toEqualTypeOf<
      boolean | undefined
    >();
  },
  papers() {
    expectTypeOf<Listed<typeof client.listPaperClaims>>().toEqualTypeOf<client.PaperClaim>();
    expectTypeOf<Params<typeof client.claimPaper>['paperId']>().toEqualTypeOf<string>();
  },
  posts() {
    expectTypeOf<Params<typeof client.commentPost>>().toHaveProperty('postSlug');
    expectTypeOf<Params<typeof client.hideCanonicalArticleComment>>().not.toHaveProperty('namespace');
  },
  profiles() {
    expectTypeOf<Answer<typeof client.whoAmI>['orgs'][number]['name']>().toEqualTypeOf<string>();
    expectTypeOf<Params<typeof client.getUserOverview>['username']>().toEqualTypeOf<string>();
  },
  content() {
    expectTypeOf<Answer<typeof client.createCommit>['commitOid']>().toEqualTypeOf<string>();
    expectTypeOf<Answer<typeof client.downloadModelFile>>().toEqualTypeOf<Blob>();
    expectTypeOf<Answer<typeof client.compareRevisions>>().toEqualTypeOf<string>();
    expectTypeOf<Listed<typeof client.listTree>>().toEqualTypeOf<client.TreeItem>();
    expectTypeOf<Answer<typeof client.getBucketPathsInfo>>().toEqualTypeOf<client.BucketFile[]>();
    expectTypeOf<Answer<typeof client.downloadBucketFile>>().toEqualTypeOf<Blob>();
  },
  'personal-data'() {
    expectTypeOf<Answer<typeof client.exportUserData>>().toEqualTypeOf<client.PersonalData>();
    expectTypeOf<Params<typeof client.exportUserData>['username']>().toEqualTypeOf<string>();
  },
  quotas() {
    expectTypeOf<Answer<typeof client.getQuota>>().toEqualTypeOf<client.AccountQuota>();
    expectTypeOf<Params<typeof client.updateQuota>['storageGib']>().toEqualTypeOf<
      number | 'default' | null | undefined
    >();
    expectTypeOf<Params<typeof client.updateQuota>['webhooks']>().toEqualTypeOf<number | 'default' | undefined>();
  },
  repositories() {
    expectTypeOf<Answer<typeof client.createRepo>['url']>().toEqualTypeOf<string>();
    expectTypeOf<Params<typeof client.moveRepo>>().toHaveProperty('to');
    expectTypeOf<Listed<typeof client.listRepos>>().toEqualTypeOf<Listed<typeof client.listOrganizationRepos>>();
  },
  'resource-groups'() {
    expectTypeOf<Answer<typeof client.addResourceGroupUsers>>().toEqualTypeOf<client.ResourceGroup>();
    expectTypeOf<Params<typeof client.setRepoResourceGroup>['resourceGroupId']>().toEqualTypeOf<string | null>();
    expectTypeOf<Answer<typeof client.getCollectionResourceGroup>['name']>().toEqualTypeOf<string>();
  },
  'scheduled-jobs'() {
    expectTypeOf<Listed<typeof client.listScheduledJobs>>().toEqualTypeOf<client.ScheduledJob>();
    expectTypeOf<Params<typeof client.createScheduledJob>['jobSpec']>().toExtend<client.JobSpecification>();
  },
  'single-sign-on'() {
    expectTypeOf<Answer<typeof client.listIdentities>>().toEqualTypeOf<client.Identity[]>();
    expectTypeOf<Answer<typeof client.testSingleSignOn>['works']>().toEqualTypeOf<boolean>();
    expectTypeOf<Params<typeof client.beginSingleSignOn>['again']>().toEqualTypeOf<boolean | undefined>();
  },
  oauth() {
    expectTypeOf<Answer<typeof client.exchangeForTokens>>().toEqualTypeOf<client.OauthTokens>();
    expectTypeOf<Params<typeof client.decideDeviceLogin>['decision']>().toEqualTypeOf<'allow' | 'deny'>();
  },
  applications() {
    expectTypeOf<Answer<typeof client.listGrants>>().toEqualTypeOf<client.OauthGrant[]>();
    expectTypeOf<Params<typeof client.createApplication>['name']>().toEqualTypeOf<string>();
  },
  scim() {
    expectTypeOf<Answer<typeof client.listScimUsers>['totalResults']>().toEqualTypeOf<number>();
    expectTypeOf<Answer<typeof client.deleteScimUser>>().toEqualTypeOf<Answer<typeof client.deleteScimGroup>>();
  },
  'scim-discovery'() {
    expectTypeOf<Params<typeof client.getScimSchema>['schemaId']>().toEqualTypeOf<string>();
  },
  'scim-links'() {
    expectTypeOf<Listed<typeof client.listScimLinks>>().toEqualTypeOf<client.ScimLink>();
  },
  'scim-provisioning'() {
    expectTypeOf<Params<typeof client.updateProvisionedUser>>().toHaveProperty('operations');
    expectTypeOf<Answer<typeof client.listProvisionedGroups>['totalResults']>().toEqualTypeOf<number>();
  },
  service() {
    expectTypeOf<Answer<typeof client.getVersion>['version']>().toEqualTypeOf<string>();
  },
  settings() {
    expectTypeOf<Params<typeof client.updateMcpSettings>>().toExtend<client.Hub>();
    expectTypeOf<Answer<typeof client.getNotificationSettings>>().not.toBeAny();
  },
  'second-factors'() {
    expectTypeOf<Answer<typeof client.getSecondFactor>>().toEqualTypeOf<client.SecondFactor>();
    expectTypeOf<Answer<typeof client.confirmSecondFactor>['recoveryCodes']>().toEqualTypeOf<string[]>();
  },
  sessions() {
    expectTypeOf<Answer<typeof client.listSessions>>().toEqualTypeOf<client.Session[]>();
    expectTypeOf<Listed<typeof client.listOwnSignIns>>().toEqualTypeOf<client.SignInEntry>();
    expectTypeOf<Params<typeof client.setPassword>['current']>().toEqualTypeOf<string | undefined>();
  },
  'trusted-publishers'() {
    expectTypeOf<Answer<typeof client.listTrustedPublishers>>().toEqualTypeOf<client.TrustedPublisher[]>();
    expectTypeOf<Params<typeof client.createTrustedPublisher>['issuer']>().toEqualTypeOf<string>();
  },
  users() {
    expectTypeOf<Params<typeof client.disableUser>['username']>().toEqualTypeOf<string>();
    expectTypeOf<Answer<typeof client.deleteUser>>().toExtend<object>();
  },
  watching() {
    expectTypeOf<Listed<typeof client.listWatched>>().toEqualTypeOf<client.Watched>();
    expectTypeOf<Listed<typeof client.listMuted>>().toEqualTypeOf<client.Muted>();
  },
  'webhook-replays'() {
    expectTypeOf<Answer<typeof client.getReplay>>().toEqualTypeOf<client.WebhookReplay>();
    expectTypeOf<Params<typeof client.replayDeliveries>['status']>().toEqualTypeOf<
      'delivered' | 'failed' | 'throttled' | undefined
    >();
  },
  'webhook-streams'() {
    expectTypeOf<Answer<typeof client.openWebhookStream>['stream']>().toEqualTypeOf<client.WebhookStream>();
    expectTypeOf<Listed<typeof client.streamDeliveries>>().toEqualTypeOf<client.WebhookStreamEvent>();
    expectTypeOf<Params<typeof client.acknowledgeDelivery>['status']>().toEqualTypeOf<number>();
  },
  webhooks() {
    expectTypeOf<Answer<typeof client.getWebhook>['webhook']>().toEqualTypeOf<client.Webhook>();
    expectTypeOf<Answer<typeof client.listWebhookFigures>[number]>().toEqualTypeOf<client.WebhookFigures>();
    expectTypeOf<Listed<typeof client.listDeliveries>['status']>().toEqualTypeOf<client.DeliveryStatus>();
  },
};

test('the types of every capability are checked', () => {
  const index = readFileSync(new URL('generated/index.ts', import.meta.url), 'utf8');
  const files = [...index.matchAll(/^export \* from '\.\/([\w-]+)\.ts'/gm)].map(([, file]) => file);
  expect(new Set(files)).toEqual(new Set(Object.keys(capabilities)));
});
