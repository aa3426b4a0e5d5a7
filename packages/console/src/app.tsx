import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { signInPage } from './session/return-to.ts';
import { useSession } from './session/session.tsx';
import { Shell } from './shell/shell.tsx';
import { ProviderReturn } from './sign-in/provider-return.tsx';
import { SignIn } from './sign-in/sign-in.tsx';
import { Broken } from './ui/broken.tsx';
import { Failure, Loading } from './ui/states.tsx';

const Inbox = lazy(() => import('./inbox/inbox.tsx').then(({ Inbox }) => ({ default: Inbox })));
const Discussion = lazy(() => import('./threads/discussion.tsx').then(({ Discussion }) => ({ default: Discussion })));
const Paper = lazy(() => import('./threads/paper.tsx').then(({ Paper }) => ({ default: Paper })));
const Post = lazy(() => import('./threads/post.tsx').then(({ Post }) => ({ default: Post })));
const Article = lazy(() => import('./threads/article.tsx').then(({ Article }) => ({ default: Article })));
const Webhooks = lazy(() => import('./webhooks/webhooks.tsx').then(({ Webhooks }) => ({ default: Webhooks })));
const NewWebhook = lazy(() => import('./webhooks/new-webhook.tsx').then(({ NewWebhook }) => ({ default: NewWebhook })));
const EditWebhook = lazy(() =>
  import('./webhooks/edit-webhook.tsx').then(({ EditWebhook }) => ({ default: EditWebhook })),
);
const Activity = lazy(() =>
  import('./webhooks/deliveries/activity.tsx').then(({ Activity }) => ({ default: Activity })),
);
const Delivery = lazy(() =>
  import('./webhooks/deliveries/delivery.tsx').then(({ Delivery }) => ({ default: Delivery })),
);
const NotificationSettings = lazy(() =>
  import('./settings/notification-settings.tsx').then((part) => ({ default: part.NotificationSettings })),
);
const Applications = lazy(() =>
  import('./settings/applications/applications.tsx').then((part) => ({ default: part.Applications })),
);
const Device = lazy(() => import('./oauth/device.tsx').then(({ Device }) => ({ default: Device })));
const Authorize = lazy(() => import('./oauth/authorize.tsx').then(({ Authorize }) => ({ default: Authorize })));
const Watching = lazy(() => import('./settings/watching.tsx').then(({ Watching }) => ({ default: Watching })));
const SignInSettings = lazy(() =>
  import('./settings/sign-in/sign-in-settings.tsx').then((part) => ({ default: part.SignInSettings })),
);
const OwnSignIns = lazy(() =>
  import('./settings/sign-in/own-sign-ins.tsx').then((part) => ({ default: part.OwnSignIns })),
);
const AccessTokens = lazy(() =>
  import('./settings/tokens/tokens.tsx').then((part) => ({ default: part.AccessTokens })),
);
const NewToken = lazy(() => import('./settings/tokens/new-token.tsx').then(({ NewToken }) => ({ default: NewToken })));
const Join = lazy(() => import('./sign-in/join.tsx').then(({ Join }) => ({ default: Join })));
const SignUp = lazy(() => import('./sign-in/sign-up.tsx').then(({ SignUp }) => ({ default: SignUp })));
const Mcp = lazy(() => import('./settings/mcp.tsx').then(({ Mcp }) => ({ default: Mcp })));
const Claims = lazy(() => import('./papers/claims.tsx').then(({ Claims }) => ({ default: Claims })));
const Jobs = lazy(() => import('./jobs/jobs.tsx').then(({ Jobs }) => ({ default: Jobs })));
const Job = lazy(() => import('./jobs/job.tsx').then(({ Job }) => ({ default: Job })));
const NewJob = lazy(() => import('./jobs/new-job.tsx').then(({ NewJob }) => ({ default: NewJob })));
const Schedules = lazy(() => import('./jobs/schedules.tsx').then(({ Schedules }) => ({ default: Schedules })));
const Organizations = lazy(() =>
  import('./organizations/organizations.tsx').then((part) => ({ default: part.Organizations })),
);
const NewOrganization = lazy(() =>
  import('./organizations/new-organization.tsx').then((part) => ({ default: part.NewOrganization })),
);
const Members = lazy(() => import('./organizations/members/members.tsx').then(({ Members }) => ({ default: Members })));
const Tokens = lazy(() => import('./organizations/tokens.tsx').then(({ Tokens }) => ({ default: Tokens })));
const AuditLog = lazy(() => import('./organizations/audit-log.tsx').then(({ AuditLog }) => ({ default: AuditLog })));
const ResourceGroups = lazy(() =>
  import('./organizations/resource-groups.tsx').then((part) => ({ default: part.ResourceGroups })),
);
const CustomRoles = lazy(() =>
  import('./organizations/members/custom-roles.tsx').then((part) => ({ default: part.CustomRoles })),
);
const Scim = lazy(() => import('./organizations/scim.tsx').then(({ Scim }) => ({ default: Scim })));
const SingleSignOn = lazy(() =>
  import('./organizations/provider/single-sign-on.tsx').then((part) => ({ default: part.SingleSignOn })),
);
const Health = lazy(() => import('./admin/health.tsx').then(({ Health }) => ({ default: Health })));
const Users = lazy(() => import('./admin/users/users.tsx').then(({ Users }) => ({ default: Users })));
const User = lazy(() => import('./admin/users/user.tsx').then(({ User }) => ({ default: User })));
const AllOrganizations = lazy(() =>
  import('./admin/organizations.tsx').then((part) => ({ default: part.AllOrganizations })),
);
const DeadLetters = lazy(() => import('./admin/dead-letters.tsx').then((part) => ({ default: part.DeadLetters })));
const Repositories = lazy(() => import('./repos/repositories.tsx').then((part) => ({ default: part.Repositories })));
const NewRepository = lazy(() =>
  import('./repos/new/new-repository.tsx').then((part) => ({ default: part.NewRepository })),
);
const Repository = lazy(() => import('./repos/repository.tsx').then((part) => ({ default: part.Repository })));
const RepoList = lazy(() => import('./explore/repo-list.tsx').then(({ RepoList }) => ({ default: RepoList })));
const Collections = lazy(() =>
  import('./collections/collections.tsx').then(({ Collections }) => ({ default: Collections })),
);
const NewCollection = lazy(() =>
  import('./collections/new-collection.tsx').then((part) => ({ default: part.NewCollection })),
);
const CollectionPage = lazy(() =>
  import('./collections/collection.tsx').then((part) => ({ default: part.CollectionPage })),
);
const Buckets = lazy(() => import('./buckets/buckets.tsx').then(({ Buckets }) => ({ default: Buckets })));
const BucketPage = lazy(() => import('./buckets/bucket.tsx').then(({ BucketPage }) => ({ default: BucketPage })));
const Papers = lazy(() => import('./papers/papers.tsx').then(({ Papers }) => ({ default: Papers })));
const Account = lazy(() => import('./accounts/account.tsx').then(({ Account }) => ({ default: Account })));
const Access = lazy(() => import('./organizations/access.tsx').then(({ Access }) => ({ default: Access })));

export function App() {
  return (
    <Switch>
      <Route path="/login" component={SignIn} />
      <Route path="/login/oidc/callback" component={ProviderReturn} />
      <Route path="/login/oidc/:organizationId/callback" component={ProviderReturn} />
      <Route path="/join">
        <Broken>
          <Suspense>
            <SignUp />
          </Suspense>
        </Broken>
      </Route>
      <Route path="/join/:code">
        <Broken>
          <Suspense>
            <Join />
          </Suspense>
        </Broken>
      </Route>
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
            <Route path="/organizations/:name/roles" component={CustomRoles} />
            <Route path="/organizations/:name/scim" component={Scim} />
            <Route path="/organizations/:name/single-sign-on" component={SingleSignOn} />
            <Route path="/organizations/:name/access" component={Access} />
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
            <Route path="/admin" component={Health} />
            <Route path="/admin/users" component={Users} />
            <Route path="/admin/users/:name" component={User} />
            <Route path="/admin/organizations" component={AllOrganizations} />
            <Route path="/admin/dead-letters" component={DeadLetters} />
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
