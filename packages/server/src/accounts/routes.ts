import * as contract from '@moonbase/contract/accounts/access-tokens';
import * as users from '@moonbase/contract/accounts/users';
import { answerPage } from '../platform/http/pagination.ts';
import type { Routes } from '../platform/http/route.ts';
import type { Disabling } from './disabling.ts';
import type { OwnTokens } from './own-tokens.ts';

interface Services {
  readonly ownTokens: OwnTokens;
  readonly disabling: Disabling;
}

export function accountRoutes(routes: Routes, { ownTokens, disabling }: Services): void {
  routes.add(contract.listAccessTokens, async ({ caller, query }) =>
    answerPage(await ownTokens.list(caller, query), caller.url),
  );
  routes.add(contract.createAccessToken, ({ caller, body }) => ownTokens.create(caller, body));
  routes.add(contract.deleteAccessToken, async ({ caller, params, query }) => {
    await ownTokens.delete(caller, params.tokenId, query.keepCreated);
    return { success: true as const };
  });
  routes.add(contract.revokeCredentials, async ({ caller, body }) => {
    await ownTokens.revokeCredentials(caller, body.credentials);
    return { success: true as const };
  });
  routes.add(contract.listUserTokens, async ({ caller, params, query }) =>
    answerPage(await ownTokens.listOf(params.username, query), caller.url),
  );
  routes.add(contract.deleteUserToken, async ({ caller, params, query }) => {
    await ownTokens.deleteOf(caller, params.username, params.tokenId, query.keepCreated);
    return { success: true as const };
  });
  routes.add(users.disableUser, async ({ caller, params }) => {
    await disabling.disableUser(caller, params.username);
    return {};
  });
  routes.add(users.enableUser, async ({ caller, params }) => {
    await disabling.enableUser(caller, params.username);
    return {};
  });
}
