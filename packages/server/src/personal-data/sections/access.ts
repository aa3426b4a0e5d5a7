import { timestamp } from '../../platform/clock.ts';
import { parseJson } from '../../platform/stored-form.ts';
import { shownRepo } from '../names/shown-repo.ts';
import { type Section, stored } from '../section.ts';
import { accessRequestsOf, groupsOf, invitationsTo, membershipsOf } from './access-store.ts';

/** Where the user belongs, was invited, and asked for access. */
export const accessSections: readonly Section[] = [
  stored('memberships', {
    rows: membershipsOf,
    present: ({ organization, role, base_role, created_at }) => ({
      ...{ organization, role, baseRole: base_role },
      createdAt: timestamp(created_at),
    }),
  }),
  stored('resourceGroups', {
    rows: groupsOf,
    present: ({ group_id, name, organization, role, created_at }) => ({
      ...{ id: group_id, name, organization, role },
      createdAt: timestamp(created_at),
    }),
  }),
  stored('invitations', {
    rows: invitationsTo,
    present: ({ id, organization, role, email, created_at, expires_at }) => ({
      ...{ id, organization, role },
      ...(email !== null && { email }),
      createdAt: timestamp(created_at),
      ...(expires_at !== null && { expiresAt: timestamp(expires_at) }),
    }),
  }),
  stored('accessRequests', {
    rows: accessRequestsOf,
    present: (row) => ({
      ...{ id: row.id, repo: shownRepo(row), status: row.status },
      ...(row.fields !== null && { fields: parseJson(row.fields) }),
      timestamp: timestamp(row.requested_at),
      ...(row.reviewed_at !== null && { reviewedAt: timestamp(row.reviewed_at) }),
    }),
  }),
];
