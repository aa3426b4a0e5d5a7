export { createPurge, PURGE, type PurgeEvent, removeOrganization } from './purge.ts';
export { organizationRoutes } from './routes.ts';
export { createOrganizations, type OrganizationEvent, type Organizations } from './service.ts';
export { type OrganizationSettings, settingsOf, updateSettings } from './store.ts';
export { vouchedAddress } from './vouched-address.ts';
