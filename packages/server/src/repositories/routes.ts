import type { RepoType } from '@moonbase/contract/primitives';
import * as reading from '@moonbase/contract/repositories/reading';
import * as contract from '@moonbase/contract/repositories/repositories';
import { credentialsNeeded } from '../access/index.ts';
import { nameKey } from '../accounts/index.ts';
import { type Caller, isAuthenticated, type ReadingCaller } from '../platform/http/authenticate.ts';
import { badRequest } from '../platform/http/errors.ts';
import { answerPage } from '../platform/http/pagination.ts';
import type { Routes } from '../platform/http/route.ts';
import { accessRequestRoutes } from './gating/routes.ts';
import type { NewSpace } from './new-space.ts';
import { BRANCH, TAG } from './policy.ts';
import { nameInPath } from './present.ts';
import type { Repositories } from './service.ts';
import type { RepoName } from './store.ts';

/** Room for the initial files of a repository as JSON. */
const FIRST_FILES_BYTES = 32 * 1024 * 1024;
/** The namespace by which clients create and list buckets of the caller. */
const OWN_NAMESPACE = 'me';
const SUCCESS = { success: true } as const;

export function repositoryRoutes(routes: Routes, repositories: Repositories): void {
  readingRoutes(routes, repositories);
  accessRequestRoutes(routes, repositories.accessRequests);
  routes.add(
    contract.createRepo,
    ({ caller, body }) => {
      const { license, license_name, license_link, short_description, ...settings } = body;
      return repositories.create(caller, nameInBody(caller, body), {
        ...{ ...settings, space: newSpaceIn(body) },
        card: { license, license_name, license_link, short_description },
      });
    },
    { bodyLimit: FIRST_FILES_BYTES },
  );
  routes.add(contract.createBucket, ({ caller, params, body }) =>
    repositories.create(
      caller,
      { type: 'bucket', namespace: namespaceOf(caller, params.namespace), name: params.repo },
      body,
    ),
  );
  routes.add(contract.deleteRepo, async ({ caller, body }) => {
    await repositories.delete(caller, nameInBody(caller, body));
    return {};
  });
  routes.add(contract.deleteBucket, async ({ caller, params }) => {
    await repositories.delete(caller, { type: 'bucket', namespace: params.namespace, name: params.repo });
    return {};
  });
  routes.add(contract.moveRepo, async ({ caller, body }) => {
    await repositories.move(
      caller,
      body.type,
      splitName(body.fromRepo, 'body.fromRepo'),
      splitName(body.toRepo, 'body.toRepo'),
    );
    return SUCCESS;
  });
  routes.add(contract.getRepoSettings, ({ caller, params }) => repositories.settings(caller, nameInPath(params)));
  routes.add(contract.updateRepoSettings, ({ caller, params, body }) =>
    repositories.updateSettings(caller, nameInPath(params), body),
  );
  routes.add(contract.createBranch, async ({ caller, params, body }) => {
    await repositories.createBranch(caller, nameInPath(params), params.rev, body);
    return SUCCESS;
  });
  routes.add(contract.deleteBranch, async ({ caller, params }) => {
    await repositories.deleteRef(caller, nameInPath(params), BRANCH + params.rev);
    return SUCCESS;
  });
  routes.add(contract.createTag, async ({ caller, params, body }) => {
    await repositories.createTag(caller, nameInPath(params), params.rev, body);
    return SUCCESS;
  });
  routes.add(contract.deleteTag, async ({ caller, params }) => {
    await repositories.deleteRef(caller, nameInPath(params), TAG + params.rev);
    return SUCCESS;
  });
}

/** Returns what the body of a request for a new repository says that only Spaces have. */
export const newSpaceIn = (body: NewSpace): NewSpace => ({
  ...{ variables: body.variables, secrets: body.secrets, volumes: body.volumes, template: body.template },
  ...{ hardware: body.hardware, storageTier: body.storageTier, sleepTimeSeconds: body.sleepTimeSeconds },
});

function readingRoutes(routes: Routes, repositories: Repositories): void {
  routes.add(reading.getRepo, ({ caller, params, query }) =>
    repositories.get(caller, nameInPath(params), infoRequest(query)),
  );
  routes.add(reading.getRepoAtRevision, ({ caller, params, query }) =>
    repositories.get(caller, nameInPath(params), infoRequest(query), params.rev),
  );
  routes.add(reading.listBuckets, async ({ caller, params, query }) =>
    answerPage(await repositories.listBuckets(caller, namespaceOf(caller, params.namespace), query), caller.url),
  );
  routes.add(reading.getBucket, ({ caller, params }) =>
    repositories.getBucket(caller, { namespace: params.namespace, name: params.repo }),
  );
  routes.add(reading.listRefs, ({ caller, params, query }) =>
    repositories.refs(caller, nameInPath(params), query.include_prs),
  );
  for (const check of [reading.checkAccess, reading.checkWriteAccess])
    routes.add(check, async ({ caller, params }) => {
      await repositories.checkAccess(caller, nameInPath(params), check.authority);
      return {};
    });
  routes.add(reading.listRepos, async ({ caller, query }) =>
    answerPage(await repositories.listOwn(caller, query), caller.url),
  );
  routes.add(reading.listOrganizationRepos, async ({ caller, params, query }) =>
    answerPage(await repositories.listOfOrganization(caller, params.name, query), caller.url),
  );
}

const isSet = (flag: unknown): boolean =>
  flag !== undefined && !(typeof flag === 'string' && ['false', 'False', '0'].includes(flag));

interface InfoQuery {
  readonly expand?: string[] | undefined;
  readonly blobs?: unknown;
  readonly securityStatus?: unknown;
}

const infoRequest = ({ expand, blobs, securityStatus }: InfoQuery) => ({
  expand,
  blobs: isSet(blobs),
  securityStatus: isSet(securityStatus),
});

/** Returns the account that a namespace of buckets stands for. Throws 401 for `me` without credentials. */
function namespaceOf(caller: ReadingCaller, namespace: string): string {
  if (nameKey(namespace) !== OWN_NAMESPACE) return namespace;
  if (!isAuthenticated(caller)) throw credentialsNeeded('');
  return caller.principal.userName;
}

function nameInBody(
  caller: Caller,
  body: { name: string; organization?: string | null | undefined; type: RepoType },
): RepoName {
  if (!body.name.includes('/'))
    return { type: body.type, namespace: body.organization ?? caller.principal.userName, name: body.name };
  const { namespace, name } = splitName(body.name, 'body.name');
  if (body.organization && nameKey(body.organization) !== nameKey(namespace))
    throw badRequest('body.organization: is not the namespace that body.name names');
  return { type: body.type, namespace, name };
}

/** Splits `namespace/name`. Throws 400 for any other form, naming the field at `path`. */
export function splitName(text: string, path: string): { namespace: string; name: string } {
  const [namespace, name, rest] = text.split('/');
  if (!namespace || !name || rest !== undefined) throw badRequest(`${path}: must be namespace/name`);
  return { namespace, name };
}
