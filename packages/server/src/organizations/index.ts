export { type OrganizationEvent, organizationTopic, type PurgeEvent, purgeTopic } from './events.ts';
export { createPurge, purgeTask, removeOrganization } from './purge.ts';
export { organizationRoutes } from './routes.ts';
export { createOrganizations, type Organizations } from './service.ts';
export { vouchedAddress } from './vouched-address.ts';
