import * as contract from '@moonbase/contract/profiles';
import { minidenticon } from 'minidenticons';
import { Answer, redirectTo } from '../platform/http/answer.ts';
import type { Visitor } from '../platform/http/authenticate.ts';
import type { Routes } from '../platform/http/route.ts';
import type { Profiles } from './service.ts';

interface AvatarRequest {
  readonly caller: Visitor;
  readonly query: { redirect?: unknown };
  readonly header: (name: string) => string | undefined;
}

export function profileRoutes(routes: Routes, profiles: Profiles): void {
  routes.add(contract.whoAmI, ({ caller }) => profiles.whoAmI(caller));
  routes.add(contract.getUserOverview, ({ caller, params }) => profiles.userOverview(caller, params.username));
  routes.add(contract.getOrganizationOverview, ({ caller, params }) =>
    profiles.organizationOverview(caller, params.name),
  );

  /** As a picture for anybody (E20), as JSON for those with a token. */
  async function avatar(request: AvatarRequest, kind: 'user' | 'org', name: string) {
    const asPicture = request.header('sec-fetch-dest') === 'image' || request.query.redirect !== undefined;
    if (!asPicture) await routes.callerOf(request);
    const avatarUrl = await profiles.avatar(request.caller, kind, name);
    return asPicture ? redirectTo(avatarUrl) : { avatarUrl };
  }
  routes.add(contract.getOrganizationAvatar, (request) => avatar(request, 'org', request.params.name));
  routes.add(contract.getUserAvatar, (request) => avatar(request, 'user', request.params.username));
  routes.add(contract.getAvatar, async ({ caller, params }) =>
    redirectTo(await profiles.avatar(caller, 'any', params.namespace)),
  );
  routes.add(
    contract.getGeneratedAvatar,
    ({ params }) =>
      new Answer(minidenticon(params.file.slice(0, 24)), {
        headers: {
          'content-type': 'image/svg+xml',
          'cache-control': 'public, max-age=31536000, immutable',
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
          'x-content-type-options': 'nosniff',
        },
      }) as never,
  );
}
