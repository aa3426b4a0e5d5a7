export type { NotificationKey } from '@moonbase/contract/accounts/settings';
