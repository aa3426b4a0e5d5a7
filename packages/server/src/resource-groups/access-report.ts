import type { AccessReport } from '@moonbase/contract/organizations/custom-roles';
import type { BuiltInRole, RepoType } from '@moonbase/contract/primitives';
import type { Permission } from '@moonbase/contract/route';
import type { z } from 'zod';
import {
  bestOf,
  type Grant,
  grantsOn,
  hasAccess,
  isAtLeast,
  mayCreate,
  mayWrite,
  membershipOf,
  missingRepo,
  repoNotFound,
  requireOrganization,
  roleOf,
} from '../access/index.ts';
import { findAccount, nameKey, requireUser } from '../accounts/index.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { forbidden } from '../platform/http/errors.ts';
import { findRepo, type Repository, repoFacts } from '../repositories/index.ts';
import { groupCreators, groupRolesOf } from './store.ts';

type Report = z.input<typeof AccessReport>;
type Membership = Awaited<ReturnType<typeof membershipOf>>;
type InGroup = Awaited<ReturnType<typeof groupRolesOf>>[number];

interface Question {
  readonly user?: string | undefined;
  readonly type: RepoType;
  readonly repo?: string | undefined;
}

export type ExplainAccess = ReturnType<typeof createAccessReport>;

/**
 * Creates the report of a user's rights in an organization or on one of its repositories, each grant with its source.
 */
export function createAccessReport({ database: { read } }: { readonly database: Database }) {
  async function askedFor(caller: Caller, isAdmin: boolean, name: string | undefined): Promise<string> {
    const { userId, userName } = caller.principal;
    if (name === undefined || nameKey(name) === nameKey(userName)) return userId;
    if (!isAdmin) throw forbidden('Only admins of the organization may ask about others');
    return requireUser(await findAccount(read, name), name).id;
  }

  async function repoOf(caller: Caller, organization: string, type: RepoType, text: string): Promise<Repository> {
    const [namespace = '', name = text] = text.includes('/') ? text.split('/') : [organization];
    const repo = await findRepo(read, { type, namespace, name });
    if (!repo || nameKey(namespace) !== nameKey(organization))
      throw await missingRepo(read, caller.principal, organization);
    if (!(await roleOf(read, caller.principal, repoFacts(repo)))) throw repoNotFound();
    return repo;
  }

  return async function explain(caller: Caller, name: string, { user, type, repo: text }: Question): Promise<Report> {
    const need = { role: 'member', permission: 'org.read' } as const;
    const { organization, role } = await requireOrganization(read, caller.principal, name, need);
    const userId = await askedFor(caller, role === 'admin', user);
    const repo = text === undefined ? undefined : await repoOf(caller, organization.name, type, text);
    const membership = await membershipOf(read, organization.id, userId);
    const groups = await groupRolesOf(read, organization.id, userId);
    return repo
      ? onRepo(repo, userId, membership, groups)
      : inOrganization(membership, groups, await groupCreators(read, organization.id));
  };
}

const ofOrganization = ({ name, base }: NonNullable<Membership>): Report['grants'][number] =>
  name === base ? { source: 'organization', role: base } : { source: 'custom-role', name, role: base };

const ofGroup = ({ name, managed_by, base }: InGroup): Report['grants'][number] => ({
  source: managed_by === 'scim' ? 'scim-group' : 'resource-group',
  name,
  role: base,
});

/** Returns the permissions whose condition is true. */
const grantedPermissions = (conditions: Partial<Record<Permission, boolean>>): string[] =>
  Object.entries(conditions).flatMap(([word, holds]) => (holds ? [word] : []));

function inOrganization(membership: Membership, groups: readonly InGroup[], creators: BuiltInRole): Report {
  const role = membership?.base ?? null;
  const isAdmin = role === 'admin';
  return {
    role,
    may: grantedPermissions({
      'org.read': role !== null,
      'org.write': isAdmin,
      'resourceGroup.write':
        role !== null && (isAtLeast(role, creators) || groups.some(({ base }) => base === 'admin')),
      'repo.content.read': hasAccess(role),
      'repo.write': role !== null && mayCreate(role),
    }),
    grants: [...(membership ? [ofOrganization(membership)] : []), ...groups.map(ofGroup)],
  };
}

function onRepo(repo: Repository, userId: string, membership: Membership, groups: readonly InGroup[]): Report {
  const facts = repoFacts(repo);
  const group = groups.find(({ id }) => id === facts.groupId);
  const grants = grantsOn(facts, userId, { membership: membership?.base, group: group?.base });
  const role = bestOf(grants);
  const explained = ({ source, role }: Grant): Report['grants'][number] => {
    if (source === 'organization' && membership) return ofOrganization(membership);
    if (source === 'group' && group) return ofGroup(group);
    return { source: source === 'owner' ? 'owner' : 'public', role };
  };
  return {
    role: role ?? null,
    may: grantedPermissions({
      'repo.content.read': role !== undefined,
      'repo.write': role !== undefined && mayWrite(role, facts, userId),
      'discussion.write': role !== undefined,
      'resourceGroup.write': membership?.base === 'admin' || group?.base === 'admin',
    }),
    grants: grants.map(explained),
  };
}
