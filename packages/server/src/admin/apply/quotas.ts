import type { HubDocument } from '@moonbase/contract/admin/hub-document';
import type { AccountQuotas } from '../../quotas/index.ts';
import type { Step } from './steps.ts';

type HubAccount = Pick<HubDocument['users' | 'organizations'][number], 'name' | 'storageGib'>;

/** Sets the quota of a user or an organization, if the document names one; returns whether it changed. */
export const applyQuota = async (
  { tx, caller }: Step,
  quotas: Pick<AccountQuotas, 'setStorage'>,
  { name, storageGib }: HubAccount,
): Promise<boolean> => storageGib !== undefined && quotas.setStorage(tx, caller, name, storageGib);
