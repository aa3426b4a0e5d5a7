import type { OrganizationChange } from '@moonbase/contract/organizations/organizations';
import type { OrganizationSettings } from '../access/index.ts';
import type { Account } from '../accounts/index.ts';
import { keysOf } from '../platform/typed-objects.ts';

/** A change of an organization for the audit log. */
export interface Change {
  readonly type: 'org.rename' | 'org.update_settings' | 'org.update_join_settings';
  readonly what: string;
  readonly data: {
    readonly before: Readonly<Record<string, unknown>>;
    readonly after: Readonly<Record<string, unknown>>;
  };
}

/** Returns the audit log entries for a change of an organization. */
export function differences(org: Account, settings: OrganizationSettings, wanted: OrganizationChange): Change[] {
  const now: Required<OrganizationChange> = {
    name: org.name,
    fullname: org.fullname,
    details: org.details,
    avatarUrl: org.avatar_url,
    membersPrivate: settings.members_private === 1,
    groupCreators: settings.group_creators,
    defaultRepoVisibility: settings.default_repo_visibility ?? 'public',
    joinDomains: [...settings.join_domains],
    verifiedDomains: [...settings.verified_domains],
  };
  const { name, joinDomains, ...profile } = wanted;
  const change = (type: Change['type'], given: OrganizationChange): Change[] => {
    const keys = keysOf(given).filter(
      (key) => given[key] !== undefined && JSON.stringify(given[key]) !== JSON.stringify(now[key]),
    );
    if (keys.length === 0) return [];
    const of = (values: OrganizationChange) => Object.fromEntries(keys.map((key) => [key, values[key]]));
    return [{ type, what: keys.join(', '), data: { before: of(now), after: of(given) } }];
  };
  return [
    ...change('org.rename', { name }),
    ...change('org.update_settings', profile),
    ...change('org.update_join_settings', { joinDomains }),
  ];
}
