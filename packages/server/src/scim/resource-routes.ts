import type { RouteInput } from '@moonbase/contract/route';
import * as links from '@moonbase/contract/scim/links';
import { scim as managed, type ScimResources, scimProvisioning } from '@moonbase/contract/scim/resources';
import * as z from 'zod';
import { Answer, rawAnswer } from '../platform/http/answer.ts';
import { answerPage } from '../platform/http/pagination.ts';
import type { Routes } from '../platform/http/route.ts';
import type { ScimApi } from './change.ts';
import type { ScimContext } from './context.ts';
import type { Groups } from './groups/service.ts';
import type { Links } from './role-sync/links.ts';
import type { Tagged } from './tagged.ts';
import type { Users } from './users/service.ts';

interface Services {
  readonly users: Users;
  readonly groups: Groups;
  readonly links: Links;
}

interface Resource {
  readonly meta: { readonly location: string };
}

/** The SCIM parser reads these bodies, because it accepts more forms than the document describes. */
const LENIENT = { body: z.unknown() };

export function resourceRoutes(routes: Routes, services: Services): void {
  userRoutes(routes, managed, 'scim', services.users);
  userRoutes(routes, scimProvisioning, 'scim-provisioning', services.users);
  groupRoutes(routes, managed, 'scim', services.groups);
  groupRoutes(routes, scimProvisioning, 'scim-provisioning', services.groups);
  linkRoutes(routes, services.links);
}

function userRoutes(routes: Routes, contract: ScimResources, tree: ScimApi, users: Users): void {
  const at = ({ name }: { readonly name: string }): ScimContext => ({ tree, name });
  routes.add(contract.listUsers, ({ caller, params, query }) => users.list(caller, at(params), query));
  routes.add(contract.searchUsers, ({ caller, params, body }) => users.list(caller, at(params), queryIn(body)));
  routes.add(
    contract.createUser,
    async ({ caller, params, body }) => answered(await users.create(caller, at(params), body), true),
    LENIENT,
  );
  routes.add(contract.getUser, async ({ caller, params, query }) =>
    answered(await users.get(caller, at(params), params.userId, query)),
  );
  routes.add(
    contract.replaceUser,
    async ({ caller, params, body, header }) =>
      answered(await users.replace(caller, at(params), params.userId, body, header('if-match'))),
    LENIENT,
  );
  routes.add(
    contract.updateUser,
    async ({ caller, params, body, header }) =>
      answered(await users.patch(caller, at(params), params.userId, body, header('if-match'))),
    LENIENT,
  );
  routes.add(contract.deleteUser, async ({ caller, params, header }) => {
    await users.delete(caller, at(params), params.userId, header('if-match'));
    return nothing();
  });
}

function groupRoutes(routes: Routes, contract: ScimResources, tree: ScimApi, groups: Groups): void {
  const at = ({ name }: { readonly name: string }): ScimContext => ({ tree, name });
  routes.add(contract.listGroups, ({ caller, params, query }) => groups.list(caller, at(params), query));
  routes.add(contract.searchGroups, ({ caller, params, body }) => groups.list(caller, at(params), queryIn(body)));
  routes.add(
    contract.createGroup,
    async ({ caller, params, body }) => answered(await groups.create(caller, at(params), body), true),
    LENIENT,
  );
  routes.add(contract.getGroup, async ({ caller, params, query }) =>
    answered(await groups.get(caller, at(params), params.groupId, query)),
  );
  routes.add(
    contract.replaceGroup,
    async ({ caller, params, query, body, header }) =>
      answered(await groups.replace(caller, at(params), params.groupId, body, { header: header('if-match'), query })),
    LENIENT,
  );
  routes.add(
    contract.updateGroup,
    async ({ caller, params, query, body, header }) =>
      answered(await groups.patch(caller, at(params), params.groupId, body, { header: header('if-match'), query })),
    LENIENT,
  );
  routes.add(contract.deleteGroup, async ({ caller, params, header }) => {
    await groups.delete(caller, at(params), params.groupId, header('if-match'));
    return nothing();
  });
}

function linkRoutes(routes: Routes, service: Links): void {
  routes.add(links.listScimLinks, async ({ caller, params, query }) =>
    answerPage(await service.list(caller, params.name, query), caller.url),
  );
  routes.add(links.createScimLink, ({ caller, params, body }) => service.create(caller, params.name, body));
  routes.add(links.updateScimLink, ({ caller, params, body }) =>
    service.setRole(caller, params.name, params.linkId, body.role),
  );
  routes.add(links.deleteScimLink, async ({ caller, params }) => {
    await service.delete(caller, params.name, params.linkId);
    return { success: true as const };
  });
}

/** Responds with a resource and its entity tag; a created resource also gets a location. */
const answered = <T extends Resource>({ resource, version }: Tagged<T>, made = false): Answer<T> =>
  new Answer(resource, { headers: { etag: version, ...(made && { location: resource.meta.location }) } });

/** Returns the body of a search request in the form of a list query. */
const queryIn = ({ attributes, excludedAttributes, ...query }: RouteInput<ScimResources['searchUsers']>['body']) => ({
  ...query,
  attributes: attributes?.join(),
  excludedAttributes: excludedAttributes?.join(),
});

const nothing = () => rawAnswer(undefined, { status: 204 });
