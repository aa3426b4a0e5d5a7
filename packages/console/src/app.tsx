import { Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { Repository } from './repos/repository.tsx';
import { signInPage } from './session/return-to.ts';
import { useSession } from './session/session.tsx';
import { SettingsAlias } from './shell/aliases.tsx';
import { Shell } from './shell/shell.tsx';
import { Broken } from './ui/broken.tsx';
import { Failure, Loading } from './ui/states.tsx';
import { part } from './ui/updates/part.ts';

const Reference = part(() => import('./reference/reference.tsx').then((page) => page.Reference));
const SignIn = part(() => import('./sign-in/sign-in.tsx').then((page) => page.SignIn));
const ProviderReturn = part(() => import('./sign-in/provider-return.tsx').then((page) => page.ProviderReturn));
const Inbox = part(() => import('./inbox/inbox.tsx').then((page) => page.Inbox));
const Discussion = part(() => import('./threads/discussion.tsx').then((page) => page.Discussion));
const Paper = part(() => import('./threads/paper.tsx').then((page) => page.Paper));
const Post = part(() => import('./threads/post.tsx').then((page) => page.Post));
const Article = part(() => import('./threads/article.tsx').then((page) => page.Article));
const Webhooks = part(() => import('./webhooks/webhooks.tsx').then((page) => page.Webhooks));
const NewWebhook = part(() => import('./webhooks/new-webhook.tsx').then((page) => page.NewWebhook));
const EditWebhook = part(() => import('./webhooks/edit-webhook.tsx').then((page) => page.EditWebhook));
const Activity = part(() => import('./webhooks/deliveries/activity.tsx').then((page) => page.Activity));
const Delivery = part(() => import('./webhooks/deliveries/delivery.tsx').then((page) => page.Delivery));
const NotificationSettings = part(() =>
  import('./settings/notification-settings.tsx').then((page) => page.NotificationSettings),
);
const Applications = part(() => import('./settings/applications/applications.tsx').then((page) => page.Applications));
const Device = part(() => import('./oauth/device.tsx').then((page) => page.Device));
const Authorize = part(() => import('./oauth/authorize.tsx').then((page) => page.Authorize));
const Watching = part(() => import('./settings/watching.tsx').then((page) => page.Watching));
const SignInSettings = part(() =>
  import('./settings/sign-in/sign-in-settings.tsx').then((page) => page.SignInSettings),
);
const OwnSignIns = part(() => import('./settings/sign-in/own-sign-ins.tsx').then((page) => page.OwnSignIns));
const AccessTokens = part(() => import('./settings/tokens/tokens.tsx').then((page) => page.AccessTokens));
const NewToken = part(() => import('./settings/tokens/new-token.tsx').then((page) => page.NewToken));
const Join = part(() => import('./sign-in/join.tsx').then((page) => page.Join));
const SignUp = part(() => import('./sign-in/sign-up.tsx').then((page) => page.SignUp));
const Mcp = part(() => import('./settings/mcp.tsx').then((page) => page.Mcp));
const Claims = part(() => import('./papers/claims.tsx').then((page) => page.Claims));
const Jobs = part(() => import('./jobs/jobs.tsx').then((page) => page.Jobs));
const Job = part(() => import('./jobs/job.tsx').then((page) => page.Job));
const NewJob = part(() => import('./jobs/new-job.tsx').then((page) => page.NewJob));
const Schedules = part(() => import('./jobs/schedules.tsx').then((page) => page.Schedules));
const Organizations = part(() => import('./organizations/organizations.tsx').then((page) => page.Organizations));
const NewOrganization = part(() => import('./organizations/new-organization.tsx').then((page) => page.NewOrganization));
const Members = part(() => import('./organizations/members/members.tsx').then((page) => page.Members));
const Tokens = part(() => import('./organizations/tokens.tsx').then((page) => page.Tokens));
const AuditLog = part(() => import('./organizations/audit-log.tsx').then((page) => page.AuditLog));
const ResourceGroups = part(() =>
  import('./organizations/groups/resource-groups.tsx').then((page) => page.ResourceGroups),
);
const ResourceGroupPage = part(() =>
  import('./organizations/groups/resource-group.tsx').then((page) => page.ResourceGroupPage),
);
const CustomRoles = part(() => import('./organizations/members/custom-roles.tsx').then((page) => page.CustomRoles));
const Scim = part(() => import('./organizations/scim.tsx').then((page) => page.Scim));
const SingleSignOn = part(() =>
  import('./organizations/provider/single-sign-on.tsx').then((page) => page.SingleSignOn),
);
const Health = part(() => import('./admin/health.tsx').then((page) => page.Health));
const Users = part(() => import('./admin/users/users.tsx').then((page) => page.Users));
const User = part(() => import('./admin/users/user.tsx').then((page) => page.User));
const AllOrganizations = part(() => import('./admin/organizations.tsx').then((page) => page.AllOrganizations));
const AdministeredOrganization = part(() =>
  import('./admin/organization.tsx').then((page) => page.AdministeredOrganization),
);
const OwnQuotas = part(() => import('./storage/own-quotas.tsx').then((page) => page.OwnQuotas));
const OrganizationStorage = part(() =>
  import('./storage/organization-storage.tsx').then((page) => page.OrganizationStorage),
);
const DeadLetters = part(() => import('./admin/dead-letters.tsx').then((page) => page.DeadLetters));
const RetentionPage = part(() => import('./admin/retention.tsx').then((page) => page.RetentionPage));
const HubSettings = part(() => import('./admin/hub-settings.tsx').then((page) => page.HubSettings));
const SiteAuditLog = part(() => import('./admin/audit-log.tsx').then((page) => page.SiteAuditLog));
const Repositories = part(() => import('./repos/repositories.tsx').then((page) => page.Repositories));
const NewRepository = part(() => import('./repos/new/new-repository.tsx').then((page) => page.NewRepository));
const RepoList = part(() => import('./explore/repo-list.tsx').then((page) => page.RepoList));
const Collections = part(() => import('./collections/collections.tsx').then((page) => page.Collections));
const NewCollection = part(() => import('./collections/new-collection.tsx').then((page) => page.NewCollection));
const CollectionPage = part(() => import('./collections/collection.tsx').then((page) => page.CollectionPage));
const Buckets = part(() => import('./buckets/buckets.tsx').then((page) => page.Buckets));
const BucketPage = part(() => import('./buckets/bucket.tsx').then((page) => page.BucketPage));
const Papers = part(() => import('./papers/papers.tsx').then((page) => page.Papers));
const Account = part(() => import('./accounts/account.tsx').then((page) => page.Account));
const Access = part(() => import('./organizations/access.tsx').then((page) => page.Access));

/** The pages that need nobody to be signed in. */
const FOR_ANYBODY = {
  '/docs': Reference,
  '/login': SignIn,
  '/login/oidc/callback': ProviderReturn,
  '/login/oidc/:organizationId/callback': ProviderReturn,
  '/join': SignUp,
  '/join/:code': Join,
};

export function App() {
  return (
    <Switch>
      {Object.entries(FOR_ANYBODY).map(([path, Content]) => (
        <Route key={path} path={path}>
          <Broken>
            <Suspense>
              <Content />
            </Suspense>
          </Broken>
        </Route>
      ))}
      <Route>
        <SignedIn />
      </Route>
    </Switch>
  );
}

/** The pages for signed-in users; other visitors are sent to the sign-in page and return afterwards. */
function SignedIn() {
  const { signInState, refresh } = useSession();
  const [path] = useLocation();
  if (signInState.is === 'out') return <Redirect to={signInPage(window.location)} replace />;
  if (signInState.is === 'unknown')
    return signInState.error === undefined ? null : <Failure error={signInState.error} retry={refresh} />;
  return (
    <Shell>
      <Broken key={path}>
        <Suspense fallback={<Loading />}>
          <Switch>
            <Route path="/">
              <Redirect to="/inbox" replace />
            </Route>
            <Route path="/inbox" component={Inbox} />
            <Route path="/webhooks" component={Webhooks} />
            <Route path="/webhooks/new" component={NewWebhook} />
            <Route path="/webhooks/:webhookId" component={Activity} />
            <Route path="/webhooks/:webhookId/edit" component={EditWebhook} />
            <Route path="/webhooks/:webhookId/deliveries/:logId" component={Delivery} />
            <Route path="/jobs" component={Jobs} />
            <Route path="/jobs/new" component={NewJob} />
            <Route path="/jobs/schedules" component={Schedules} />
            <Route path="/jobs/:namespace/:jobId" component={Job} />
            <Route path="/organizations" component={Organizations} />
            <Route path="/organizations/new" component={NewOrganization} />
            <Route path="/organizations/:name" component={Members} />
            <Route path="/organizations/:name/resource-groups" component={ResourceGroups} />
            <Route path="/organizations/:name/resource-groups/:resourceGroupId" component={ResourceGroupPage} />
            <Route path="/organizations/:name/roles" component={CustomRoles} />
            <Route path="/organizations/:name/scim" component={Scim} />
            <Route path="/organizations/:name/single-sign-on" component={SingleSignOn} />
            <Route path="/organizations/:name/access" component={Access} />
            <Route path="/organizations/:name/storage" component={OrganizationStorage} />
            <Route path="/organizations/:name/tokens" component={Tokens} />
            <Route path="/organizations/:name/audit-log" component={AuditLog} />
            <Route path="/settings" component={NotificationSettings} />
            <Route path="/settings/sign-in" component={SignInSettings} />
            <Route path="/settings/sign-ins" component={OwnSignIns} />
            <Route path="/settings/tokens" component={AccessTokens} />
            <Route path="/settings/tokens/new" component={NewToken} />
            <Route path="/settings/applications" component={Applications} />
            <Route path="/oauth/device" component={Device} />
            <Route path="/oauth/authorize" component={Authorize} />
            <Route path="/settings/watching" component={Watching} />
            <Route path="/settings/mcp" component={Mcp} />
            <Route path="/settings/papers" component={Claims} />
            <Route path="/settings/quotas" component={OwnQuotas} />
            <Route path="/settings/*" component={SettingsAlias} />
            <Route path="/admin" component={Health} />
            <Route path="/admin/users" component={Users} />
            <Route path="/admin/users/:name" component={User} />
            <Route path="/admin/organizations" component={AllOrganizations} />
            <Route path="/admin/organizations/:name" component={AdministeredOrganization} />
            <Route path="/admin/dead-letters" component={DeadLetters} />
            <Route path="/admin/retention" component={RetentionPage} />
            <Route path="/admin/settings" component={HubSettings} />
            <Route path="/admin/audit-log" component={SiteAuditLog} />
            <Route path="/papers" component={Papers} />
            <Route path="/papers/:paperId" component={Paper} />
            <Route path="/buckets" component={Buckets} />
            <Route path="/buckets/:namespace/:repo/*?" component={BucketPage} />
            <Route path="/posts/:username/:postSlug" component={Post} />
            <Route path="/blog/:slug" component={Article} />
            <Route path="/blog/:namespace/:slug" component={Article} />
            <Route path="/:repoType/:namespace/:repo/discussions/new" component={Repository} />
            <Route path="/:namespace/:repo/discussions/new" component={Repository} />
            <Route path="/:repoType/:namespace/:repo/discussions/:num" component={Discussion} />
            <Route path="/:namespace/:repo/discussions/:num" component={Discussion} />
            <Route path="/:repoType/:namespace/:repo/discussions/:num/files" component={Discussion} />
            <Route path="/:namespace/:repo/discussions/:num/files" component={Discussion} />
            <Route path="/repositories" component={Repositories} />
            {['/models', '/datasets', '/spaces', '/kernels'].map((list) => (
              <Route key={list} path={list} component={RepoList} />
            ))}
            <Route path="/collections" component={Collections} />
            <Route path="/collections/new" component={NewCollection} />
            <Route path="/collections/:namespace/:slug" component={CollectionPage} />
            <Route path="/new" component={NewRepository} />
            <Route path="/:account" component={Account} />
            <Route component={Repository} />
          </Switch>
        </Suspense>
      </Broken>
    </Shell>
  );
}
