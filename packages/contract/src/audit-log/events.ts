import * as z from 'zod';
import { TokenRole } from '../accounts/profiles.ts';
import { ObjectId, Page, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { AUDIT_EVENT_TYPES, SITE_EVENT_TYPES } from './event-types.ts';

/** A SHA-256 in hexadecimal digits. */
const Hash = z.string().regex(/^[0-9a-f]{64}$/);

/** An event in an organization: the Audit log event of the specification, and its place in the chain. */
export const AuditEvent = z
  .object({
    _id: ObjectId,
    createdAt: Timestamp,
    type: z.enum(AUDIT_EVENT_TYPES),
    message: z.string(),
    data: z.unknown().optional().meta({ description: 'Details of the event; their shape depends on the type.' }),
    ip: z.string().optional(),
    location: z
      .object({ formatted: z.string(), country: z.string().optional(), city: z.string().optional() })
      .optional(),
    userAgent: z.string().optional(),
    author: z.object({
      _id: ObjectId,
      user: z.string().meta({ description: 'The name at the time of the event.' }),
      avatarUrl: z.string(),
      type: z.enum(['user', 'system']),
      deleted: z.boolean().optional(),
    }),
    token: z
      .object({
        type: z.literal('access_token'),
        id: z.string(),
        role: TokenRole.optional(),
        last4: z.string().optional(),
        deleted: z.boolean(),
      })
      .optional(),
    oauth: z.object({ clientId: z.string(), name: z.string().optional() }).optional(),
    seq: z.int().min(1).meta({ description: 'Number of the event within the organization, from 1, without gaps.' }),
    prevHash: Hash.meta({ description: '`hash` of the previous event; 64 zeros for the first one.' }),
    hash: Hash.meta({ description: 'SHA-256 over `prevHash` and the immutable content of the event.' }),
  })
  .meta({ id: 'AuditEvent' });
export type AuditEvent = z.infer<typeof AuditEvent>;

/** An event outside of organizations, in the chain of the hub itself. */
export const SiteAuditEvent = AuditEvent.extend({ type: z.enum(SITE_EVENT_TYPES) }).meta({
  id: 'SiteAuditEvent',
  description: 'An author of the type `system` is the operator at the database, or somebody without credentials.',
});
export type SiteAuditEvent = z.infer<typeof SiteAuditEvent>;

const params = z.object({ name: z.string() });
const q = z
  .string()
  .optional()
  .meta({
    description:
      'Terms `key:value` with the keys `author`, `ip` and `type`. Terms of the same key are alternatives, terms of different keys must all match; a leading `-` excludes, `type:repo.*` matches a family, quotes allow spaces.',
    examples: ['author:huggingface', 'ip:127.0.0.0', 'type:repo.create'],
  });

const siteQ = q.meta({
  description: 'Terms as in the audit log of an organization, with the types of this log, as in `type:token.*`.',
  examples: ['author:ada', 'type:user.password'],
});

const shared = { method: 'GET', tags: ['orgs'], authority: 'org.read', params } as const;
const otherAnswers = { 402: 'The organization needs the Team plan.' };

export const exportAuditLog = defineRoute({
  ...shared,
  id: 'exportAuditLog',
  path: '/api/organizations/{name}/audit-log/export',
  summary: 'Export the audit log',
  description:
    'Returns the last 100,000 events that match `q`, newest first, as a file (`Content-Disposition`). For admins of organizations with the team plan or above.',
  query: z.object({ q }),
  answers: { 200: z.array(AuditEvent) },
  otherAnswers,
});

export const listAuditLog = defineRoute({
  ...shared,
  id: 'listAuditLog',
  path: '/api/organizations/{name}/audit-log',
  summary: 'List the audit log',
  description: 'Newest first. For admins of organizations with the team plan or above.',
  query: Page.extend({ q }),
  answers: { 200: z.array(AuditEvent) },
  otherAnswers,
});

const Link = z.object({ seq: z.int().min(1), hash: Hash });

/** The head of the chain. If it is kept elsewhere, a later export can be verified against it. */
export const AuditHead = z
  .object({ first: Link.nullable(), last: Link.nullable() })
  .meta({ id: 'AuditHead', description: 'Both null if nothing is recorded.' });
export type AuditHead = z.infer<typeof AuditHead>;

export const getAuditLogHead = defineRoute({
  ...shared,
  id: 'getAuditLogHead',
  path: '/api/organizations/{name}/audit-log/head',
  summary: 'Get the head of the audit log',
  answers: { 200: AuditHead },
  otherAnswers,
});

const site = { method: 'GET', tags: ['admin'], authority: 'site-admin.read' } as const;

export const exportSiteAuditLog = defineRoute({
  ...site,
  id: 'exportSiteAuditLog',
  path: '/api/admin/audit-log/export',
  summary: 'Export the audit log of the hub',
  description:
    'What site administrators, operators and users did outside of organizations: the last 100,000 events that match `q`, newest first, as a file (`Content-Disposition`).',
  query: z.object({ q: siteQ }),
  answers: { 200: z.array(SiteAuditEvent) },
});

export const listSiteAuditLog = defineRoute({
  ...site,
  id: 'listSiteAuditLog',
  path: '/api/admin/audit-log',
  summary: 'List the audit log of the hub',
  description: 'Newest first: what site administrators, operators and users did outside of organizations.',
  query: Page.extend({ q: siteQ }),
  answers: { 200: z.array(SiteAuditEvent) },
});

export const getSiteAuditLogHead = defineRoute({
  ...site,
  id: 'getSiteAuditLogHead',
  path: '/api/admin/audit-log/head',
  summary: 'Get the head of the audit log of the hub',
  answers: { 200: AuditHead },
});

export const auditLogRoutes = [
  exportAuditLog,
  listAuditLog,
  getAuditLogHead,
  exportSiteAuditLog,
  listSiteAuditLog,
  getSiteAuditLogHead,
] as const;
