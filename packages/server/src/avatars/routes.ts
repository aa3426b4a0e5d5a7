import * as contract from '@moonbase/contract/accounts/avatars';
import { Answer, redirectTo } from '../platform/http/answer.ts';
import type { Visitor } from '../platform/http/authenticate.ts';
import type { Routes } from '../platform/http/route.ts';
import { pictureAnswer } from './picture-answer.ts';
import type { Avatars } from './service.ts';

interface AvatarRequest {
  readonly caller: Visitor;
  readonly query: { redirect?: unknown };
  readonly header: (name: string) => string | undefined;
}

export function avatarRoutes(routes: Routes, avatars: Avatars): void {
  /** Redirects to the picture for anybody (E20), or returns its URL as JSON. */
  async function where(request: AvatarRequest, kind: 'user' | 'org', name: string) {
    const asPicture = request.header('sec-fetch-dest') === 'image' || request.query.redirect !== undefined;
    if (asPicture) return redirectTo(await avatars.hosted(request.caller, kind, name));
    await routes.callerOf(request);
    const avatar = await avatars.of(request.caller, kind, name);
    return new Answer(avatar, { headers: { 'cache-control': 'private, no-cache', vary: 'Sec-Fetch-Dest' } });
  }
  routes.add(contract.getOrganizationAvatar, (request) => where(request, 'org', request.params.name));
  routes.add(contract.getUserAvatar, (request) => where(request, 'user', request.params.username));
  routes.add(contract.getAvatar, async ({ caller, params }) =>
    redirectTo(await avatars.hosted(caller, 'any', params.namespace)),
  );

  routes.add(contract.setOrganizationAvatar, ({ caller, params, body }) =>
    avatars.set(caller, 'org', params.name, body),
  );
  routes.add(contract.setUserAvatar, ({ caller, params, body }) => avatars.set(caller, 'user', params.username, body));
  routes.add(contract.deleteOrganizationAvatar, ({ caller, params }) => avatars.remove(caller, 'org', params.name));
  routes.add(contract.deleteUserAvatar, ({ caller, params }) => avatars.remove(caller, 'user', params.username));

  routes.add(contract.getGeneratedAvatar, ({ params, header }) => {
    const picture = avatars.generated(params.file.slice(0, 24));
    return pictureAnswer({ ...picture, type: 'image/svg+xml', extension: 'svg' }, header('if-none-match'));
  });
  routes.add(contract.getUploadedAvatar, async ({ params, header }) => {
    const picture = await avatars.uploaded(params.file.slice(0, 64));
    return pictureAnswer({ ...picture, type: 'image/webp', extension: 'webp' }, header('if-none-match'));
  });
}
