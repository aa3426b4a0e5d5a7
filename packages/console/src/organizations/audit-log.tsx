import { listAuditLog } from '@moonbase/client/audit-log';
import { AuditEvents } from '../audit-log/audit-events.tsx';
import { useHub } from '../session/session.tsx';
import { Organization, useOrganizationName } from './organization.tsx';

/** The audit log of an organization. */
export function AuditLog() {
  const name = useOrganizationName();
  const hub = useHub();
  return (
    <Organization tab="Audit log">
      <AuditEvents
        name={name}
        placeholder="author:alice type:repo.* -ip:10.0.0.1"
        list={(filter, options) => listAuditLog({ ...hub, name, ...filter, ...options })}
      />
    </Organization>
  );
}
