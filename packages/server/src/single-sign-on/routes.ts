import * as organizationContract from '@moonbase/contract/organizations/provider';
import * as contract from '@moonbase/contract/sign-in/single-sign-on';
import { avatarUrl } from '../accounts/index.ts';
import { Answer } from '../platform/http/answer.ts';
import type { Routes } from '../platform/http/route.ts';
import { requireOwnPage } from '../platform/http/same-origin.ts';
import { signedIn } from '../sign-in/index.ts';
import type { SingleSignOn } from './assembly.ts';
import { clearingCookie } from './flow/service.ts';

export function singleSignOnRoutes(
  routes: Routes,
  { flow, identities, signIn, logouts, organizationProviders }: SingleSignOn,
): void {
  routes.add(contract.beginSingleSignOn, async ({ caller, header, body }) => {
    requireOwnPage(header, caller);
    const { url, cookies } = await flow.begin(caller, header('cookie'), body);
    return new Answer({ url }, { headers: { 'set-cookie': [...cookies] } });
  });

  routes.add(contract.finishSingleSignOn, async ({ caller, header, body }) => {
    requireOwnPage(header, caller);
    const cookie = header('cookie');
    const over = flow.cookieAfter(caller, body.path);
    const { user, session, returnTo } = await flow.finish(caller, cookie, body.path).catch((error: unknown) => {
      throw clearingCookie(error, over);
    });
    const { id, name, fullname } = user;
    const shown = { id, name, fullname, avatarUrl: avatarUrl(caller.baseUrl, user) };
    if (!session) return new Answer({ user: shown, returnTo, linked: true }, { headers: { 'set-cookie': over } });
    const response = await signedIn(signIn, caller, cookie, { user, session });
    return new Answer(
      { ...response.body, returnTo, linked: false },
      { headers: { 'set-cookie': [over, response.cookie] } },
    );
  });

  routes.add(contract.endProviderSessions, async ({ body }) => {
    await logouts.logOut(body.logout_token);
    return new Answer({}, { headers: { 'cache-control': 'no-store' } });
  });

  routes.add(organizationContract.getSingleSignOn, ({ caller, params }) =>
    organizationProviders.get(caller, params.name),
  );
  routes.add(organizationContract.setSingleSignOn, ({ caller, params, body }) =>
    organizationProviders.put(caller, params.name, body),
  );
  routes.add(organizationContract.deleteSingleSignOn, async ({ caller, params }) => {
    await organizationProviders.remove(caller, params.name);
    return { success: true as const };
  });
  routes.add(organizationContract.testSingleSignOn, ({ caller, params, body }) =>
    organizationProviders.test(caller, params.name, body.issuer),
  );

  routes.add(contract.listIdentities, ({ caller }) => identities.list(caller));
  routes.add(contract.linkIdentity, async ({ caller, header, body }) => {
    const { current, ...wish } = body;
    const { id } = await signIn.proof.require(caller, current);
    const { url, cookies } = await flow.beginLink(caller, header('cookie'), { ...wish, linkTo: id });
    return new Answer({ url }, { headers: { 'set-cookie': [...cookies] } });
  });
  routes.add(contract.unlinkIdentity, async ({ caller, params }) => {
    signIn.proof.requireRecent(caller);
    await identities.remove(caller, params.identityId);
    return { success: true as const };
  });
}
