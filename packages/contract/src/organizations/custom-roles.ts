import * as z from 'zod';
import { BuiltInRole, Page, RepoType, Role, Success } from '../primitives.ts';
import { defineRoute } from '../route.ts';

const tags = ['orgs'];
const Params = z.object({ name: z.string() });
/** `name` is also a field of some bodies. */
const client = { params: { name: 'organization' } };
const RoleParams = Params.extend({ role: z.string() });
const description = z.string().max(500);
const otherAnswers = { 402: 'The organization needs the Enterprise plan.' };

/** A custom role of an organization: its base role decides what it permits. */
export const CustomRole = z
  .object({
    name: z.string(),
    base: BuiltInRole,
    description: z.string().optional(),
    members: z.int().meta({ description: 'Number of members of the organization with this role.' }),
  })
  .meta({ id: 'CustomRole' });
export type CustomRole = z.infer<typeof CustomRole>;

export const listCustomRoles = defineRoute({
  id: 'listCustomRoles',
  client,
  method: 'GET',
  path: '/api/organizations/{name}/roles',
  summary: 'List the custom roles of an organization, newest first',
  description: 'For members of the organization. Enterprise plan.',
  tags,
  authority: 'org.read',
  params: Params,
  query: Page,
  answers: { 200: z.array(CustomRole) },
  otherAnswers,
});

export const createCustomRole = defineRoute({
  id: 'createCustomRole',
  client,
  method: 'POST',
  path: '/api/organizations/{name}/roles',
  summary: 'Create a custom role',
  description:
    'For admins of the organization. The names of built-in roles are refused; 409 if the name is taken, ignoring ' +
    'case. Enterprise plan.',
  tags,
  authority: 'org.write',
  params: Params,
  body: z.object({
    name: z.string().min(1).max(64).meta({ description: '1 to 64 letters, digits, spaces, - and _' }),
    base: BuiltInRole,
    description: description.optional(),
  }),
  answers: { 200: CustomRole },
  otherAnswers,
});

export const updateCustomRole = defineRoute({
  id: 'updateCustomRole',
  client,
  method: 'PATCH',
  path: '/api/organizations/{name}/roles/{role}',
  summary: 'Change a custom role',
  description:
    'For admins of the organization. A new base or name takes effect at once for everybody with the role; 409 if the ' +
    'name is taken, or the organization would be left without an admin. Enterprise plan.',
  tags,
  authority: 'org.write',
  params: RoleParams,
  body: z.object({
    name: z.string().min(1).max(64).optional(),
    base: BuiltInRole.optional(),
    description: description.nullable().optional(),
  }),
  answers: { 200: CustomRole },
  otherAnswers: { ...otherAnswers, 409: 'The name is taken, or no admin would be left.' },
});

export const deleteCustomRole = defineRoute({
  id: 'deleteCustomRole',
  client,
  method: 'DELETE',
  path: '/api/organizations/{name}/roles/{role}',
  summary: 'Delete a custom role',
  description: 'For admins of the organization. 409 while a member, a resource group or an invitation uses the role.',
  tags,
  authority: 'org.write',
  params: RoleParams,
  answers: { 200: Success },
  otherAnswers: { ...otherAnswers, 409: 'The role is in use.' },
});

/** What a user may do in an organization or with one of its repositories, and why. */
export const AccessReport = z
  .object({
    role: BuiltInRole.nullable().meta({ description: 'The role that decides; null if there is none.' }),
    may: z.array(z.string()).meta({ description: 'Permissions, as in fine-grained tokens.' }),
    grants: z.array(
      z.object({
        source: z.enum(['organization', 'custom-role', 'resource-group', 'scim-group', 'owner', 'public']),
        name: z.string().optional().meta({ description: 'Name of the custom role or the resource group.' }),
        role: Role,
      }),
    ),
  })
  .meta({ id: 'AccessReport' });
export type AccessReport = z.infer<typeof AccessReport>;

export const explainAccess = defineRoute({
  id: 'explainAccess',
  client,
  method: 'GET',
  path: '/api/organizations/{name}/access',
  summary: 'Explain what a user may do, and why',
  description:
    'With `repo`, only the grants that apply there. Members may ask about themselves, admins of the organization about ' +
    'everybody. Restrictions of tokens are not considered.',
  tags,
  authority: 'org.read',
  params: Params,
  query: z.object({
    user: z.string().min(1).optional().meta({ description: 'Default: the caller.' }),
    type: RepoType.default('model').meta({ description: 'Type of `repo`.' }),
    repo: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'Repository of the organization: name, or namespace/name.' }),
  }),
  answers: { 200: AccessReport },
});

export const customRoleRoutes = [
  listCustomRoles,
  createCustomRole,
  updateCustomRole,
  deleteCustomRole,
  explainAccess,
] as const;
