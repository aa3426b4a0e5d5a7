export { type OrganizationEvent, organizationTopic, type PurgeEvent, purgeTopic } from './events.ts';
export { createPurge, type OrganizationParts, purgeTask, RESTORABLE_MS, removeOrganization } from './purge.ts';
export { organizationRoutes } from './routes.ts';
export { createOrganizations, type Organizations } from './service.ts';
export type { VouchedAddresses } from './vouched-addresses.ts';
