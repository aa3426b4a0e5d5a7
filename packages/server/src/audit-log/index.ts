export type { Directory } from './directory.ts';
export { openLocations } from './location.ts';
export { createPruneAuditLog, pruneAuditLogTask } from './prune.ts';
export { type AuditEntry, type AuditLog, createAuditLog } from './record.ts';
export { auditLogRoutes } from './routes.ts';
export { type AuditReading, createAuditReading } from './service.ts';
export { createSinkWorker } from './sink.ts';
export { createSink, type SinkTarget } from './sinks.ts';
export { AUDIT_LOG_BACKUP } from './tables.ts';
