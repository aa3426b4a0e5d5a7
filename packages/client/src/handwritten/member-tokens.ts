export type { TokenPolicy } from '@moonbase/contract/organizations/member-tokens';
