import type { JobSpecification } from '@moonbase/contract/jobs/specification';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import { badRequest, conflict, type HubError } from '../../platform/http/errors.ts';
import type { Launching } from '../execution/launch.ts';
import type { Refusal } from '../runners/runner.ts';
import { type Fault, formFault } from './policy.ts';
import { type Parts, partsOf } from './specification.ts';

const invalid = (root: string, { path, message }: Fault): HubError => {
  const where = path === '' ? root : `${root}.${path}`;
  return badRequest(`${where}: ${message}`, [{ path: where, message }]);
};

/** Returns the error for a refusal: 400 if the runner cannot run the job, 409 if it can run none. */
export const refused = (root: string, { path, message }: Refusal): HubError =>
  path === undefined ? conflict(message) : invalid(root, { path, message });

/** Returns the first part of a specification that no runner of this hub supports. */
function unsupportedFault({ expose, ssh, resourceGroupId }: JobSpecification): Fault | undefined {
  if (expose && expose.ports.length + (expose.portsPublic?.length ?? 0) > 0)
    return { path: 'expose', message: 'ports of jobs cannot be exposed on this hub' };
  if (ssh?.enabled) return { path: 'ssh', message: 'jobs cannot be reached over SSH on this hub' };
  if (resourceGroupId !== undefined)
    return { path: 'resourceGroupId', message: 'jobs cannot be put in resource groups on this hub' };
  return undefined;
}

/** Returns the parts of a specification. Throws if it cannot be run; `root` is its path in the request. */
export async function requireRunnable(
  launching: Launching,
  executor: ReadExecutor,
  principal: Principal,
  input: JobSpecification,
  root: string,
): Promise<Parts> {
  const fault = formFault(input) ?? unsupportedFault(input);
  if (fault) throw invalid(root, fault);
  const parts = partsOf(input);
  const { specification } = parts;
  const refusal =
    (await launching.refusal(executor, specification, principal)) ?? (await launching.revisionRefusal(specification));
  if (refusal) throw refused(root, refusal);
  return parts;
}
