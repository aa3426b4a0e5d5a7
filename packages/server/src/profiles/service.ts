import { countMembers, hasAccess, membershipsOf, membershipsSeenBy } from '../access/index.ts';
import {
  type Account,
  avatarUrl,
  findAccountById,
  findTokenById,
  fineGrainedFrom,
  type TokenRow,
} from '../accounts/index.ts';
import { countLiked } from '../likes/index.ts';
import { timestamp } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Caller, ReadingCaller } from '../platform/http/authenticate.ts';
import { notFound } from '../platform/http/errors.ts';
import { accountNamed } from './account-named.ts';
import { countFollowed, countFollowers, isFollower } from './follower-store.ts';
import { followedOrganization, followedUser } from './followers.ts';
import { countDiscussions, countPapers, countRepos } from './store.ts';

export type Profiles = ReturnType<typeof createProfiles>;

const paidPlan = (account: Pick<Account, 'plan'>) => (account.plan === 'free' ? {} : { plan: account.plan });

/** Returns why an organization refuses the caller's token (W§1.3). */
function restrictionOf({ token }: Caller['principal'], orgId: string) {
  const reason = token.cutOff?.[orgId];
  if (!reason) return {};
  return { securityRestrictions: [reason === 'revoked' ? ('token-revoked' as const) : ('token-policy' as const)] };
}

const authMethodOf = ({ session, token }: Caller['principal']) => {
  if (token.oauth) return 'oauth' as const;
  return session ? ('session' as const) : ('access_token' as const);
};

function presentAuth(principal: Caller['principal'], token: TokenRow | undefined) {
  const { oauth, expiresAt } = principal.token;
  const fineGrained = fineGrainedFrom(token?.fine_grained ?? null);
  return {
    type: authMethodOf(principal),
    ...(expiresAt !== undefined && { expiresAt: timestamp(expiresAt) }),
    ...(!oauth &&
      token && {
        accessToken: {
          displayName: token.display_name,
          role: token.role,
          createdAt: timestamp(token.created_at),
          ...(fineGrained && { fineGrained }),
        },
      }),
  };
}

/**
 * Returns whether a caller may know about a membership of its user: an OAuth application sees the selected
 * organizations only, unless it has the scope for all.
 */
const isVisible = ({ token: { oauth } }: Caller['principal'], orgId: string): boolean =>
  !oauth || oauth.scopes.includes('read-memberships') || oauth.picked.includes(orgId);

export function createProfiles({ database }: { database: Database }) {
  const { read } = database;

  return {
    async whoAmI({ principal, baseUrl }: Caller) {
      const { oauth } = principal.token;
      const [account, token, orgs] = await Promise.all([
        findAccountById(read, principal.userId),
        findTokenById(read, principal.token.id),
        membershipsOf(read, principal.userId),
      ]);
      if (!account || (!token && !principal.session)) throw notFound('This account no longer exists');
      return {
        type: 'user' as const,
        id: account.id,
        name: account.name,
        fullname: account.fullname,
        ...(account.email !== null &&
          (!oauth || oauth.scopes.includes('email')) && { email: account.email, emailVerified: true }),
        avatarUrl: avatarUrl(baseUrl, account),
        isPro: account.pro === 1,
        ...(account.site_admin === 1 && { isAdmin: true as const }),
        orgs: orgs
          .filter(({ id }) => isVisible(principal, id))
          .map((org) => ({
            type: 'org' as const,
            id: org.id,
            name: org.name,
            fullname: org.fullname,
            avatarUrl: avatarUrl(baseUrl, org),
            ...paidPlan(org),
            roleInOrg: org.role,
            ...restrictionOf(principal, org.id),
          })),
        auth: presentAuth(principal, token),
      };
    },

    /** The response has `user` and not `name`: a client rejects an object with both (W§1.0-16). */
    async userOverview({ principal, baseUrl }: ReadingCaller, name: string) {
      const account = await accountNamed(read, 'user', name);
      const followed = followedUser(account);
      const [orgs, ownOrgs, repos, discussions, papers, likes, followers, following, isFollowing] = await Promise.all([
        membershipsOf(read, account.id),
        membershipsSeenBy(read, principal),
        countRepos(read, account.id, principal),
        countDiscussions(read, account.id, principal),
        countPapers(read, account.id),
        countLiked(read, account.id, principal),
        countFollowers(read, followed),
        countFollowed(read, account.id),
        isFollower(read, followed, principal.userId),
      ]);
      const shared = new Set(ownOrgs.filter(({ role }) => hasAccess(role)).map(({ id }) => id));
      return {
        _id: account.id,
        user: account.name,
        fullname: account.fullname,
        avatarUrl: avatarUrl(baseUrl, account),
        isPro: account.pro === 1,
        type: 'user' as const,
        createdAt: timestamp(account.created_at),
        // If an organization's member list is private, only its members see the membership.
        orgs: orgs
          .filter(({ id, membersPrivate }) => membersPrivate === 0 || shared.has(id))
          .map((org) => ({
            id: org.id,
            name: org.name,
            fullname: org.fullname,
            avatarUrl: avatarUrl(baseUrl, org),
          })),
        numModels: repos.model ?? 0,
        numDatasets: repos.dataset ?? 0,
        numSpaces: repos.space ?? 0,
        numBuckets: repos.bucket ?? 0,
        numKernels: repos.kernel ?? 0,
        numDiscussions: discussions,
        numPapers: papers,
        numUpvotes: 0 as const,
        numLikes: likes,
        numFollowers: followers,
        numFollowing: following,
        isFollowing,
      };
    },

    async organizationOverview(caller: ReadingCaller, name: string) {
      const { principal, baseUrl } = caller;
      const { organization: account, followed } = await followedOrganization(read, caller, name);
      const [members, repos, followers, isFollowing] = await Promise.all([
        countMembers(read, account.id),
        countRepos(read, account.id, principal),
        countFollowers(read, followed),
        isFollower(read, followed, principal.userId),
      ]);
      return {
        _id: account.id,
        name: account.name,
        fullname: account.fullname,
        avatarUrl: avatarUrl(baseUrl, account),
        type: 'org' as const,
        ...(account.details !== null && { details: account.details }),
        ...paidPlan(account),
        isVerified: false as const,
        isFollowing,
        numUsers: members,
        numModels: repos.model ?? 0,
        numDatasets: repos.dataset ?? 0,
        numSpaces: repos.space ?? 0,
        numFollowers: followers,
        numPapers: 0 as const,
      };
    },
  };
}
