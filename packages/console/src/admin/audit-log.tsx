import { listSiteAuditLog } from '@moonbase/client/audit-log';
import { AuditEvents } from '../audit-log/audit-events.tsx';
import { useHub } from '../session/session.tsx';
import { Administration } from './administration.tsx';

/** The audit log of the hub: what was done outside of organizations. */
export function SiteAuditLog() {
  const hub = useHub();
  return (
    <Administration tab="Audit log">
      <AuditEvents
        name={undefined}
        placeholder="author:alice type:token.* -ip:10.0.0.1"
        list={(filter, options) => listSiteAuditLog({ ...hub, ...filter, ...options })}
      />
    </Administration>
  );
}
