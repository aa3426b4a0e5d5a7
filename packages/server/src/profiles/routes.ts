import * as following from '@moonbase/contract/accounts/followers';
import * as contract from '@moonbase/contract/accounts/profiles';
import { answerPage } from '../platform/http/pagination.ts';
import type { Routes } from '../platform/http/route.ts';
import type { Followers } from './followers.ts';
import type { Profiles } from './service.ts';
import type { Socials } from './socials.ts';

export function profileRoutes(
  routes: Routes,
  {
    profiles,
    followers,
    socials,
  }: { readonly profiles: Profiles; readonly followers: Followers; readonly socials: Socials },
): void {
  routes.add(contract.whoAmI, ({ caller }) => profiles.whoAmI(caller));
  routes.add(contract.getUserOverview, ({ caller, params }) => profiles.userOverview(caller, params.username));
  routes.add(contract.getOrganizationOverview, ({ caller, params }) =>
    profiles.organizationOverview(caller, params.name),
  );
  routes.add(contract.getUserSocials, ({ params }) => socials.ofUser(params.username));
  routes.add(contract.getOrganizationSocials, ({ caller, params }) => socials.ofOrganization(caller, params.name));
  routes.add(following.listUserFollowers, async ({ caller, params, query }) =>
    answerPage(await followers.ofUser(caller, params.username, query), caller.url),
  );
  routes.add(following.listFollowedUsers, async ({ caller, params, query }) =>
    answerPage(await followers.followedBy(caller, params.username, query), caller.url),
  );
  routes.add(following.listOrganizationFollowers, async ({ caller, params, query }) =>
    answerPage(await followers.ofOrganization(caller, params.name, query), caller.url),
  );
}
