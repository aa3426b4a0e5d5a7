import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { nameIfReadable } from '../names/repo-name-conditions.ts';
import type { Page } from '../section.ts';

export const membershipsOf = (executor: ReadExecutor, { userId, after, limit }: Page<{ org_id: string }>) =>
  executor
    .selectFrom('memberships')
    .innerJoin('accounts as organizations', 'organizations.id', 'memberships.org_id')
    .select(['memberships.org_id', 'memberships.role', 'memberships.base_role', 'memberships.created_at'])
    .select('organizations.name as organization')
    .where('memberships.user_id', '=', userId)
    .where('memberships.org_id', '>', after?.org_id ?? '')
    .orderBy('memberships.org_id')
    .limit(limit)
    .execute();

export const groupsOf = (executor: ReadExecutor, { userId, after, limit }: Page<{ group_id: string }>) =>
  executor
    .selectFrom('resource_group_users')
    .innerJoin('resource_groups', 'resource_groups.id', 'resource_group_users.group_id')
    .innerJoin('accounts as organizations', 'organizations.id', 'resource_groups.org_id')
    .select(['resource_group_users.group_id', 'resource_group_users.role', 'resource_group_users.created_at'])
    .select(['resource_groups.name', 'organizations.name as organization'])
    .where('resource_group_users.user_id', '=', userId)
    .where('resource_group_users.group_id', '>', after?.group_id ?? '')
    .orderBy('resource_group_users.group_id')
    .limit(limit)
    .execute();

/** Returns the invitations of a user to organizations. */
export const invitationsTo = (executor: ReadExecutor, { userId, after, limit }: Page<{ org_id: string }>) =>
  executor
    .selectFrom('invitations')
    .innerJoin('accounts as organizations', 'organizations.id', 'invitations.org_id')
    .select(['invitations.id', 'invitations.org_id', 'invitations.role', 'invitations.email'])
    .select(['invitations.created_at', 'invitations.expires_at', 'organizations.name as organization'])
    .where('invitations.user_id', '=', userId)
    .where('invitations.org_id', '>', after?.org_id ?? '')
    .orderBy('invitations.org_id')
    .limit(limit)
    .execute();

/** Returns the requests of a user for access to gated repositories. */
export const accessRequestsOf = (executor: ReadExecutor, { userId, after, limit }: Page<{ id: string }>) =>
  executor
    .selectFrom('access_requests')
    .innerJoin('repositories', 'repositories.id', 'access_requests.repo_id')
    .innerJoin('accounts as owners', 'owners.id', 'repositories.owner_id')
    .select(['access_requests.id', 'access_requests.status', 'access_requests.fields'])
    .select(['access_requests.requested_at', 'access_requests.reviewed_at', 'repositories.type as repoType'])
    .select(nameIfReadable(userId).as('repoName'))
    .where('access_requests.user_id', '=', userId)
    .where('access_requests.id', '>', after?.id ?? '')
    .orderBy('access_requests.id')
    .limit(limit)
    .execute();
