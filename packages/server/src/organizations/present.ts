import type { Organization } from '@moonbase/contract/organizations/organizations';
import type { OrganizationSettings } from '../access/index.ts';
import { type Account, avatarUrl } from '../accounts/index.ts';
import { timestamp } from '../platform/clock.ts';

export const presentOrganization = (baseUrl: string, org: Account, settings: OrganizationSettings): Organization => ({
  id: org.id,
  name: org.name,
  fullname: org.fullname,
  details: org.details,
  avatarUrl: avatarUrl(baseUrl, org),
  plan: org.plan,
  createdAt: timestamp(org.created_at),
  membersPrivate: settings.members_private === 1,
  groupCreators: settings.group_creators,
  defaultRepoVisibility: settings.default_repo_visibility ?? 'public',
  joinDomains: [...settings.join_domains],
  verifiedDomains: [...settings.verified_domains],
  tokenPolicy: settings.token_policy,
  tokenMaxDays: settings.token_max_days,
});
