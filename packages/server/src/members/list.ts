import type { OrganizationMember } from '@moonbase/contract/organizations/members';
import { findVisibleOrganization, hasAccess, hasPlan, settingsOf } from '../access/index.ts';
import { avatarUrl } from '../accounts/index.ts';
import type { VouchedAddresses } from '../organizations/index.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { forbidden } from '../platform/http/errors.ts';
import { keyFromCursor, type PageOf, pageFrom } from '../platform/http/pagination.ts';
import { isOutside } from './policy.ts';
import {
  type After,
  anyGroup,
  countGroupUsers,
  findMembers,
  groupsOfMembers,
  type ListedMember,
  memberPage,
} from './store.ts';

interface Query {
  readonly search?: string | undefined;
  readonly email?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export type MemberList = ReturnType<typeof createMemberList>;

interface Dependencies {
  readonly database: Database;
  readonly vouched: VouchedAddresses;
}

/** Creates the list of members of an organization (E16), limited to what the caller may see. */
export function createMemberList({ database: { read }, vouched }: Dependencies) {
  return async function list(caller: Caller, name: string, query: Query): Promise<PageOf<OrganizationMember>> {
    const { principal, baseUrl } = caller;
    const { organization: org, role } = await findVisibleOrganization(read, principal, name);
    const settings = await settingsOf(read, org.id);
    const inside = hasAccess(role);
    const admin = role === 'admin';
    if (settings.members_private === 1 && !inside) throw forbidden('The list of members is for members only');
    const knowsEmails = admin && hasPlan(org, 'team');
    if (query.email !== undefined && !knowsEmails)
      throw forbidden('Only admins of an organization with the plan team or higher find members by e-mail address');
    const { verified_domains: verified } = settings;
    const email =
      query.email === undefined
        ? undefined
        : { key: query.email.toLowerCase(), vouched: isOutside(query.email, verified) ? undefined : vouched };
    const filter = { search: query.search, email, after: afterIn(query.cursor) };
    const keys = await memberPage(read, org.id, filter, query.limit + 1);
    const { items: page, next } = pageFrom(keys, query.limit, (key) => `${key.joinedAt}.${key.userId}`);
    const ids = page.map(({ userId }) => userId);
    const found = await findMembers(read, org.id, ids, verified.length > 0 ? vouched : undefined);
    const members = new Map(found.map((member) => [member.id, member]));
    // Members who left between the two queries are skipped.
    const items = ids.flatMap((id) => members.get(id) ?? []);
    const groups = inside ? await groupsByMember(org.id, items, admin ? undefined : principal.userId) : undefined;
    return {
      next,
      items: items.map((row) => ({
        avatarUrl: avatarUrl(baseUrl, row),
        fullname: row.fullname,
        isPro: row.pro === 1,
        user: row.name,
        type: 'user' as const,
        _id: row.id,
        ...(inside && { role: row.role }),
        ...(groups && { resourceGroups: groups.get(row.id) ?? [] }),
        ...(knowsEmails && { twoFaEnabled: row.secondFactorId !== null, verifiedEmail: row.email }),
        ...(inside &&
          settings.join_domains.length > 0 && { isExternalCollaborator: isOutside(row.email, settings.join_domains) }),
      })),
    };
  };

  /** Returns undefined if the organization has no resource groups. */
  async function groupsByMember(orgId: string, members: readonly ListedMember[], viewerId: string | undefined) {
    if (!(await anyGroup(read, orgId))) return undefined;
    const ids = members.map(({ id }) => id);
    const rows = await groupsOfMembers(read, orgId, ids, viewerId);
    const counts = await countGroupUsers(read, [...new Set(rows.map(({ id }) => id))]);
    const byMember = new Map<string, NonNullable<OrganizationMember['resourceGroups']>>();
    for (const { userId, id, name, role } of rows)
      byMember.set(userId, [...(byMember.get(userId) ?? []), { name, id, numUsers: counts.get(id) ?? 0, role }]);
    return byMember;
  }
}

function afterIn(cursor: string | undefined): After | undefined {
  if (cursor === undefined) return undefined;
  const [, joinedAt, userId = ''] = keyFromCursor(cursor, /^(\d{1,15})\.([0-9a-f]{24})$/);
  return { joinedAt: Number(joinedAt), userId };
}
