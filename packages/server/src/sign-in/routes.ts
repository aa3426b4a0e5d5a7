import * as contract from '@moonbase/contract/sign-in/authentication';
import * as emailContract from '@moonbase/contract/sign-in/email';
import * as linkContract from '@moonbase/contract/sign-in/links';
import * as secondFactorContract from '@moonbase/contract/sign-in/second-factors';
import * as sessionContract from '@moonbase/contract/sign-in/sessions';
import { Answer } from '../platform/http/answer.ts';
import type { Visitor } from '../platform/http/authenticate.ts';
import { answerPage } from '../platform/http/pagination.ts';
import type { Routes } from '../platform/http/route.ts';
import { requireOwnPage } from '../platform/http/same-origin.ts';
import { endCookie, sessionIn, stepIn } from '../platform/http/session-cookie.ts';
import type { SignInParts } from './assembly.ts';
import { secondFactorRoutes } from './second-factor/routes.ts';
import { signedIn } from './signed-in.ts';
import type { SignedInUser } from './signed-in-user.ts';

export function signInRoutes(
  routes: Routes,
  {
    limits,
    signIn,
    secondStep,
    sessions,
    links,
    addresses,
    resetByMail,
    signUp,
    mailedLinks,
    ownPassword,
    ways,
    trail,
    ...rest
  }: SignInParts,
  /** The OpenID provider of the hub. */
  provider: { readonly name: string; readonly auto?: true } | undefined,
): void {
  secondFactorRoutes(routes, rest);

  async function responseOf(
    visitor: Visitor,
    header: string | undefined,
    user: SignedInUser,
    recoveryCodes?: readonly string[],
  ) {
    const { body, cookie } = await signedIn({ limits, sessions }, visitor, header, user);
    return new Answer(
      { ...body, ...(recoveryCodes && { recoveryCodes: [...recoveryCodes] }) },
      { headers: { 'set-cookie': cookie } },
    );
  }

  routes.add(contract.signIn, async ({ caller, header, body }) => {
    requireOwnPage(header, caller);
    return responseOf(caller, header('cookie'), await signIn.withPassword(caller, body));
  });
  routes.add(contract.signInWithToken, async ({ caller, header, body: { token } }) => {
    requireOwnPage(header, caller);
    const user = (await signIn.withToken(caller, token)) ?? routes.refuseToken({ caller }, token);
    return responseOf(caller, header('cookie'), user);
  });
  routes.add(contract.signInSecondStep, async ({ caller, header, body }) => {
    requireOwnPage(header, caller);
    const cookie = header('cookie');
    const finished = await secondStep.finish(caller, stepIn(cookie, caller.baseUrl), body.code);
    return responseOf(caller, cookie, finished, finished.recoveryCodes);
  });
  routes.add(secondFactorContract.setUpSecondFactor, ({ caller, header }) => {
    requireOwnPage(header, caller);
    return secondStep.setUp(caller, stepIn(header('cookie'), caller.baseUrl));
  });
  routes.add(contract.signOut, async ({ caller, header }) => {
    requireOwnPage(header, caller);
    await sessions.signOut(sessionIn(header('cookie'), caller.baseUrl));
    return new Answer({}, { headers: { 'set-cookie': endCookie(caller.baseUrl) } });
  });
  routes.add(contract.getSignInMethods, () => ({
    ...{ password: ways.has('password'), token: ways.has('token') },
    ...{ passwordMin: rest.passwords.min, mail: mailedLinks.isOn },
    ...(signUp.domains.length > 0 && { signUp: { domains: [...signUp.domains] } }),
    ...(provider && { provider }),
  }));
  routes.add(contract.requestReset, async ({ caller, header, body }) => {
    requireOwnPage(header, caller);
    await resetByMail.request(caller, body.name);
    return {};
  });
  routes.add(contract.signUp, async ({ caller, header, body }) => {
    requireOwnPage(header, caller);
    await signUp.request(caller, body.email);
    return {};
  });

  routes.add(linkContract.createUserLink, ({ caller, params, body }) =>
    links.create(caller, params.username, body.purpose),
  );
  routes.add(linkContract.getLink, ({ params }) => links.find(params.code));
  routes.add(linkContract.useLink, async ({ caller, header, params, body }) => {
    requireOwnPage(header, caller);
    return responseOf(caller, header('cookie'), await links.use(caller, params.code, body));
  });
  routes.add(linkContract.confirmEmail, ({ caller, header, params }) => {
    requireOwnPage(header, caller);
    return addresses.confirm(caller, params.code);
  });
  routes.add(emailContract.getEmail, ({ caller }) => addresses.get(caller));
  routes.add(emailContract.setEmail, ({ caller, body }) => addresses.set(caller, body));

  routes.add(sessionContract.listSignIns, async ({ caller, query }) => answerPage(await trail.list(query), caller.url));
  routes.add(sessionContract.listOwnSignIns, async ({ caller, query }) =>
    answerPage(await trail.listOwn(caller.principal, query), caller.url),
  );
  routes.add(sessionContract.listSessions, ({ caller }) => sessions.list(caller));
  routes.add(sessionContract.endSession, async ({ caller, params }) => {
    await sessions.end(caller, params.sessionId);
    return { success: true as const };
  });
  routes.add(sessionContract.endOtherSessions, async ({ caller }) => ({ ended: await sessions.endOthers(caller) }));
  routes.add(sessionContract.listUserSessions, ({ params }) => sessions.listOf(params.username));
  routes.add(sessionContract.endUserSession, async ({ caller, params }) => {
    await sessions.endOf(caller, params.username, params.sessionId);
    return { success: true as const };
  });
  routes.add(sessionContract.endUserSessions, async ({ caller, params }) => ({
    ended: await sessions.endAllOf(caller, params.username),
  }));
  routes.add(sessionContract.setPassword, async ({ caller, body }) => {
    await ownPassword.set(caller, body);
    return { success: true as const };
  });
}
