import * as contract from '@moonbase/contract/audit-log/events';
import { jsonArrayStream } from '../platform/http/json/stream.ts';
import { answerPage } from '../platform/http/pagination.ts';
import type { Routes } from '../platform/http/route.ts';
import type { AuditReading } from './service.ts';
import { SITE } from './site.ts';

interface Services {
  readonly ofOrganizations: AuditReading<contract.AuditEvent>;
  readonly ofSite: AuditReading<contract.SiteAuditEvent>;
}

export function auditLogRoutes(routes: Routes, { ofOrganizations: auditLog, ofSite }: Services): void {
  routes.add(contract.exportAuditLog, async (request) => {
    const { caller, params, query } = request;
    const { fileName, batches } = await auditLog.export(caller, params.name, query.q, () => routes.callerOf(request));
    return jsonArrayStream(batches, attachment(fileName), routes.watch(request));
  });
  routes.add(contract.listAuditLog, async ({ caller, params, query }) =>
    answerPage(await auditLog.list(caller, params.name, query), caller.url),
  );
  routes.add(contract.getAuditLogHead, ({ caller, params }) => auditLog.head(caller, params.name));

  routes.add(contract.exportSiteAuditLog, async (request) => {
    const { caller, query } = request;
    const { fileName, batches } = await ofSite.export(caller, SITE, query.q, () => routes.callerOf(request));
    return jsonArrayStream(batches, attachment(fileName), routes.watch(request));
  });
  routes.add(contract.listSiteAuditLog, async ({ caller, query }) =>
    answerPage(await ofSite.list(caller, SITE, query), caller.url),
  );
  routes.add(contract.getSiteAuditLogHead, ({ caller }) => ofSite.head(caller, SITE));
}

const attachment = (fileName: string) => ({ 'content-disposition': `attachment; filename="${fileName}"` });
