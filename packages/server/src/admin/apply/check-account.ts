import { accountNameFault, nameKey } from '../../accounts/index.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import { conflict, type Issue } from '../../platform/http/errors.ts';
import type { HubState, KnownAccount } from './hub-state.ts';

/** A run of checks over a document: the state after the items so far, the caller, and the faults. */
export interface Check {
  readonly state: HubState;
  readonly principal: Principal;
  readonly faults: Issue[];
  /** Records a fault of one item and continues, so that all faults are reported. */
  readonly fault: (path: string, message: string) => void;
}

/** Adds an account to the state; returns its placeholder, or undefined if its name is invalid. */
export function checkNewAccount(
  { state, fault }: Check,
  kind: KnownAccount['kind'],
  name: string,
  path: string,
): KnownAccount | undefined {
  const wrong = accountNameFault(name);
  if (wrong) {
    fault(`${path}.name`, wrong);
    return undefined;
  }
  const key = nameKey(name);
  if (state.keptNames.has(key)) throw conflict(`The name ${name} is taken`);
  const account = { id: `new ${key}`, kind, enabled: true };
  state.accounts.set(key, account);
  return account;
}
