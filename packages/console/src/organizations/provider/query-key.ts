export const PROVIDER = ['organization-provider'] as const;
