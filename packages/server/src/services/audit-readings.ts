import { AUDIT_EVENT_TYPES, SITE_EVENT_TYPES } from '@moonbase/contract/audit-log/event-types';
import type { AuditEvent, SiteAuditEvent } from '@moonbase/contract/audit-log/events';
import { authorize, requireOrganization, requirePlan } from '../access/index.ts';
import { directory } from '../accounts/index.ts';
import { createAuditReading } from '../audit-log/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';

/** Creates what reads the audit logs: those of organizations for their admins, that of the hub for site administrators. */
export const createAuditReadings = (database: Database, clock: Clock) => ({
  ofOrganizations: createAuditReading<AuditEvent>({
    ...{ database, clock, directory, types: AUDIT_EVENT_TYPES },
    async requireReader(executor, { principal }, name) {
      const need = { role: 'admin', permission: 'org.read' } as const;
      const { organization } = await requireOrganization(executor, principal, name, need);
      requirePlan(organization, 'team');
      return organization;
    },
  }),
  ofSite: createAuditReading<SiteAuditEvent>({
    ...{ database, clock, directory, types: SITE_EVENT_TYPES },
    async requireReader(_executor, { principal }, name) {
      authorize(principal, 'site-admin.read');
      return { id: name, name };
    },
  }),
});
