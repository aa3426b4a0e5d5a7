import * as contract from '@moonbase/contract/sign-in/second-factors';
import type { Routes } from '../../platform/http/route.ts';
import type { SecondFactorAdministration } from './administration.ts';
import type { OwnSecondFactor } from './own-factor.ts';

interface Services {
  readonly ownSecondFactor: OwnSecondFactor;
  readonly secondFactorAdministration: SecondFactorAdministration;
}

export function secondFactorRoutes(
  routes: Routes,
  { ownSecondFactor: own, secondFactorAdministration: administration }: Services,
): void {
  routes.add(contract.getSecondFactor, ({ caller }) => own.get(caller));
  routes.add(contract.beginSecondFactor, ({ caller }) => own.begin(caller));
  routes.add(contract.confirmSecondFactor, async ({ caller, body }) => ({
    recoveryCodes: await own.confirm(caller, body.code),
  }));
  routes.add(contract.renewRecoveryCodes, async ({ caller }) => ({ recoveryCodes: await own.renewCodes(caller) }));
  routes.add(contract.disableSecondFactor, async ({ caller }) => {
    await own.disable(caller);
    return { success: true as const };
  });
  routes.add(contract.getUserSecondFactor, ({ params }) => administration.get(params.username));
  routes.add(contract.resetSecondFactor, async ({ caller, params }) => {
    await administration.reset(caller, params.username);
    return { success: true as const };
  });
}
