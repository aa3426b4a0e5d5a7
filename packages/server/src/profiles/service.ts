import { countMembers, hasAccess, membershipsOf, membershipsSeenBy, requireReach } from '../access/index.ts';
import {
  type Account,
  avatarUrl,
  findAccount,
  findAccountById,
  findTokenById,
  fineGrainedFrom,
} from '../accounts/index.ts';
import { timestamp } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { notFound } from '../platform/http/errors.ts';
import { countDiscussions, countRepos } from './store.ts';

export type Profiles = ReturnType<typeof createProfiles>;

const paidPlan = (account: Pick<Account, 'plan'>) => (account.plan === 'free' ? {} : { plan: account.plan });

/** Why the caller's token does not reach an organization (W§1.3). */
function restrictionOf({ token }: Caller['principal'], orgId: string) {
  const reason = token.cutOff?.[orgId];
  if (!reason) return {};
  return { securityRestrictions: [reason === 'revoked' ? ('token-revoked' as const) : ('token-policy' as const)] };
}

export function createProfiles({ database }: { database: Database }) {
  const { read } = database;

  async function named(kind: 'user' | 'org', name: string): Promise<Account> {
    const account = await findAccount(read, name);
    if (account?.kind !== kind)
      throw notFound(`There is no ${kind === 'user' ? 'user' : 'organization'} named ${name}`);
    return account;
  }

  return {
    async whoAmI({ principal, baseUrl }: Caller) {
      const [account, token, orgs] = await Promise.all([
        findAccountById(read, principal.userId),
        findTokenById(read, principal.token.id),
        membershipsOf(read, principal.userId),
      ]);
      if (!account || !token) throw notFound('This account is gone');
      const fineGrained = fineGrainedFrom(token.fine_grained);
      return {
        type: 'user' as const,
        id: account.id,
        name: account.name,
        fullname: account.fullname,
        ...(account.email !== null && { email: account.email, emailVerified: true }),
        avatarUrl: avatarUrl(baseUrl, account),
        isPro: account.pro === 1,
        ...(account.site_admin === 1 && { isAdmin: true as const }),
        orgs: orgs.map((org) => ({
          type: 'org' as const,
          id: org.id,
          name: org.name,
          fullname: org.fullname,
          avatarUrl: avatarUrl(baseUrl, org),
          ...paidPlan(org),
          roleInOrg: org.role,
          ...restrictionOf(principal, org.id),
        })),
        auth: {
          type: 'access_token' as const,
          accessToken: {
            displayName: token.display_name,
            role: token.role,
            createdAt: timestamp(token.created_at),
            ...(fineGrained && { fineGrained }),
          },
        },
      };
    },

    /** Has `user` and not `name`: a client refuses both at one level (W§1.0-16). */
    async userOverview({ principal, baseUrl }: Caller, name: string) {
      const account = await named('user', name);
      const [orgs, ownOrgs, repos, discussions] = await Promise.all([
        membershipsOf(read, account.id),
        membershipsSeenBy(read, principal),
        countRepos(read, account.id, principal),
        countDiscussions(read, account.id, principal),
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
        // Where the list of members is private, who belongs there is known to members.
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
      };
    },

    async organizationOverview({ principal, baseUrl }: Caller, name: string) {
      const account = await named('org', name);
      requireReach(principal, account.id);
      const [members, repos] = await Promise.all([
        countMembers(read, account.id),
        countRepos(read, account.id, principal),
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
        isFollowing: false as const,
        numUsers: members,
        numModels: repos.model ?? 0,
        numDatasets: repos.dataset ?? 0,
        numSpaces: repos.space ?? 0,
        numFollowers: 0,
      };
    },
  };
}
