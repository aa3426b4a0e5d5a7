export { PURGE, purgeOrganization } from './purge.ts';
export { organizationRoutes } from './routes.ts';
export { createOrganizations, type Organizations } from './service.ts';
export { type OrganizationSettings, settingsOf, updateSettings } from './store.ts';
