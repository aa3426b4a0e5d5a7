export { createScim, type Scim } from './assembly.ts';
export { purgeScimGroup, purgeScimGroupTask } from './groups/deletion.ts';
export { deleteScimRows } from './purge-store.ts';
export { scimResponseFormat } from './response-format.ts';
export { provisionedRoleKeeper } from './role-sync/custom-role-store.ts';
export { roleSyncTask } from './role-sync/role-sync-task.ts';
export { scimRoutes } from './routes.ts';
export { SCIM_BACKUP } from './tables.ts';
export { freeNameLike } from './users/account-name.ts';
export {
  findProviderRecords,
  findScimProvisioning,
  hasProviderEmail,
  type ProviderRecord,
} from './users/known-user-store.ts';
export { vouchedAddresses } from './users/vouched-address-store.ts';
