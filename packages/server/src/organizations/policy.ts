import type { OrganizationChange } from '@moonbase/contract/organizations/organizations';
import type { OrganizationSettings } from '../access/index.ts';
import type { Account } from '../accounts/index.ts';

/** A change of an organization, in the words of the audit log. */
export interface Change {
  readonly type: 'org.rename' | 'org.update_settings' | 'org.update_join_settings';
  readonly what: string;
  readonly data: {
    readonly before: Readonly<Record<string, unknown>>;
    readonly after: Readonly<Record<string, unknown>>;
  };
}

/** The given columns that differ from those of a row. */
export const differing = (org: Account, wanted: { [Column in keyof Account]?: Account[Column] | undefined }) =>
  Object.fromEntries(
    Object.entries(wanted).filter(([key, value]) => value !== undefined && org[key as keyof Account] !== value),
  ) as Partial<Account>;

/** What a change does to an organization: the events it writes. */
export function differences(org: Account, settings: OrganizationSettings, wanted: OrganizationChange): Change[] {
  const now: Required<OrganizationChange> = {
    name: org.name,
    fullname: org.fullname,
    details: org.details,
    avatarUrl: org.avatar_url,
    membersPrivate: settings.members_private === 1,
    groupCreators: settings.group_creators,
    joinDomains: [...settings.join_domains],
    verifiedDomains: [...settings.verified_domains],
  };
  const { name, joinDomains, ...profile } = wanted;
  const change = (type: Change['type'], given: OrganizationChange): Change[] => {
    const keys = (Object.keys(given) as (keyof OrganizationChange)[]).filter(
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
