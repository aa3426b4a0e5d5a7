import * as z from 'zod';
import { ObjectId, Role, Success, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { OrganizationParams } from './organizations.ts';

const tags = ['orgs'];
const claim = z.string().min(1).max(200);
const group = z.string().trim().min(1).max(300);
const RoleMapping = z.object({ group, role: Role });

/** What an organization sets of its OpenID provider, beside the secret. */
const settings = {
  issuer: z.string().min(1).max(500).meta({ description: 'Exactly as the provider writes it.' }),
  clientId: z.string().min(1).max(500),
  scopes: z.string().min(1).max(500).default('openid profile email'),
  subjectClaim: claim.default('sub').meta({ description: 'By which a person is known: `oid` for Entra ID.' }),
  usernameClaim: claim.default('preferred_username'),
  groupsClaim: claim.default('groups').meta({ description: 'Dots lead into it, as in `realm_access.roles`.' }),
  allowedDomains: z.array(z.string().min(1).max(253)).max(100).default([]),
  allowedGroups: z.array(group).max(100).default([]),
  createUsers: z.boolean().default(false).meta({
    description: 'Whether a first sign-in makes an account that belongs to the organization. Enterprise Plus.',
  }),
  defaultRole: Role.default('read').meta({ description: 'Of who joins, and of whom no mapped group is.' }),
  roleMapping: z
    .array(RoleMapping)
    .max(200)
    .default([])
    .meta({ description: 'The best role of the groups of a person; one of them must map to an admin role.' }),
  resourceGroupMapping: z
    .array(RoleMapping.extend({ resourceGroupId: ObjectId }))
    .max(200)
    .default([])
    .meta({
      description:
        'The roles in resource groups. In each of these a person has the best role of their groups, or none. Enterprise.',
    }),
};

/** The OpenID provider of an organization. */
export const OrganizationProvider = z
  .object({
    ...z.object(settings).required().shape,
    hasSecret: z.boolean(),
    callbackUrl: z.string().meta({ description: 'The redirect address to register at the provider.' }),
    logoutUrl: z.string().meta({ description: 'Where the provider tells that a session has ended.' }),
    signInUrl: z.string().meta({ description: 'The page on which its people sign in.' }),
    updatedAt: Timestamp,
  })
  .meta({ id: 'OrganizationProvider' });
export type OrganizationProvider = z.infer<typeof OrganizationProvider>;

export const NewOrganizationProvider = z.object({
  ...settings,
  clientSecret: z
    .string()
    .min(1)
    .max(2000)
    .nullable()
    .optional()
    .meta({ description: 'Absent: the one before, of the same issuer and client; null: none, PKCE alone.' }),
});

const ADMINS = 'For admins of the organization, plan Team or higher.';
const otherAnswers = { 402: 'The plan of the organization is too low.' };

export const getSingleSignOn = defineRoute({
  id: 'getSingleSignOn',
  method: 'GET',
  path: '/api/organizations/{name}/single-sign-on',
  summary: 'Get the OpenID provider of an organization',
  description: `${ADMINS} 404 where it has none. The secret is never shown.`,
  tags,
  authority: 'org.write',
  client: { params: { name: 'organization' } },
  params: OrganizationParams,
  answers: { 200: OrganizationProvider },
  otherAnswers,
});

export const setSingleSignOn = defineRoute({
  id: 'setSingleSignOn',
  method: 'PUT',
  path: '/api/organizations/{name}/single-sign-on',
  summary: 'Set the OpenID provider of an organization',
  description:
    `${ADMINS} It signs in to the accounts of the organization: those that its SCIM or this provider made. Others link it ` +
    'once they are signed in, and join by it. Roles are set anew at each sign-in, where the provider tells the groups; ' +
    'what SCIM gives goes before, and the last admin stays one. Another issuer or client ends the sessions that were begun.',
  tags,
  authority: 'org.write',
  client: { params: { name: 'organization' }, body: 'provider' },
  params: OrganizationParams,
  body: NewOrganizationProvider,
  answers: { 200: OrganizationProvider },
  otherAnswers,
});

export const deleteSingleSignOn = defineRoute({
  id: 'deleteSingleSignOn',
  method: 'DELETE',
  path: '/api/organizations/{name}/single-sign-on',
  summary: 'Remove the OpenID provider of an organization',
  description: `${ADMINS} The sessions that it began end. Memberships stay.`,
  tags,
  authority: 'org.write',
  client: { params: { name: 'organization' } },
  params: OrganizationParams,
  answers: { 200: Success },
  otherAnswers,
});

export const testSingleSignOn = defineRoute({
  id: 'testSingleSignOn',
  method: 'POST',
  path: '/api/organizations/{name}/single-sign-on/test',
  summary: 'Test whether an issuer is an OpenID provider that the organization can use',
  description:
    `${ADMINS} Fetches the document and the keys of the issuer, and saves nothing. An issuer that does not answer is not ` +
    'contacted again for five seconds.',
  tags,
  authority: 'org.write',
  client: { params: { name: 'organization' } },
  params: OrganizationParams,
  body: z.object({ issuer: settings.issuer }),
  answers: {
    200: z.object({
      works: z.boolean(),
      message: z.string().meta({ description: 'One sentence about what is wrong, or that nothing is.' }),
    }),
  },
  otherAnswers,
});

export const organizationProviderRoutes = [
  getSingleSignOn,
  setSingleSignOn,
  deleteSingleSignOn,
  testSingleSignOn,
] as const;
