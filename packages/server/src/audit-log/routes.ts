import * as contract from '@moonbase/contract/audit-log/events';
import { jsonArrayStream } from '../platform/http/json/stream.ts';
import { answerPage } from '../platform/http/pagination.ts';
import type { Routes } from '../platform/http/route.ts';
import type { AuditReading } from './service.ts';

export function auditLogRoutes(routes: Routes, auditLog: AuditReading): void {
  routes.add(contract.exportAuditLog, async (request) => {
    const { caller, params, query } = request;
    const { fileName, batches } = await auditLog.export(caller, params.name, query.q, () => routes.callerOf(request));
    const headers = { 'content-disposition': `attachment; filename="${fileName}"` };
    return jsonArrayStream(batches, headers, routes.watch(request));
  });
  routes.add(contract.listAuditLog, async ({ caller, params, query }) =>
    answerPage(await auditLog.list(caller, params.name, query), caller.url),
  );
  routes.add(contract.getAuditLogHead, ({ caller, params }) => auditLog.head(caller, params.name));
}
