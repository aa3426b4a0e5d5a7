import * as applicationContract from '@moonbase/contract/oauth/applications';
import * as consentContract from '@moonbase/contract/oauth/consent';
import * as discoveryContract from '@moonbase/contract/oauth/discovery';
import * as grantContract from '@moonbase/contract/oauth/grants';
import * as contract from '@moonbase/contract/oauth/protocol';
import * as publisherContract from '@moonbase/contract/oauth/trusted-publishers';
import type { Routes } from '../platform/http/route.ts';
import type { OauthParts } from './assembly.ts';
import { metadataOf } from './openid/discovery.ts';

export function oauthRoutes(routes: Routes, oauth: OauthParts): void {
  routes.add(contract.beginDeviceLogin, ({ caller, header, body }) =>
    oauth.beginDeviceLogin(caller, { ...body, authorization: header('authorization') }),
  );
  routes.add(contract.exchangeForTokens, ({ caller, header, body }) =>
    oauth.tokens(caller, { ...body, authorization: header('authorization') }),
  );
  routes.add(contract.revokeOauthToken, async ({ header, body }) => {
    await oauth.revoke({ ...body, authorization: header('authorization') });
    return {};
  });
  routes.add(contract.getUserInfo, ({ caller }) => oauth.userInfo(caller));

  routes.add(discoveryContract.getOpenidConfiguration, ({ caller }) => metadataOf(caller.baseUrl));
  routes.add(discoveryContract.getAuthorizationServer, ({ caller }) => metadataOf(caller.baseUrl));
  routes.add(discoveryContract.getSigningKeys, () => oauth.keys.published());

  routes.add(consentContract.getDeviceLogin, ({ caller, body }) => oauth.deviceApproval.find(caller, body.userCode));
  routes.add(consentContract.decideDeviceLogin, async ({ caller, body }) => {
    await oauth.deviceApproval.decide(caller, body);
    return { success: true as const };
  });
  routes.add(consentContract.getAuthorization, ({ caller, query }) => oauth.authorization.find(caller, query));
  routes.add(consentContract.decideAuthorization, ({ caller, body }) => oauth.authorization.decide(caller, body));

  const { applications, grants } = oauth;
  routes.add(applicationContract.listApplications, ({ caller }) => applications.list(caller));
  routes.add(applicationContract.createApplication, ({ caller, body }) => applications.create(caller, body));
  routes.add(applicationContract.updateApplication, ({ caller, params, body }) =>
    applications.update(caller, params.clientId, body),
  );
  routes.add(applicationContract.deleteApplication, async ({ caller, params }) => {
    await applications.delete(caller, params.clientId);
    return { success: true as const };
  });
  routes.add(grantContract.listGrants, ({ caller }) => grants.list(caller));
  routes.add(grantContract.endGrant, async ({ caller, params }) => {
    await grants.endOwn(caller, params.grantId);
    return { success: true as const };
  });

  routes.add(grantContract.listUserGrants, ({ params }) => grants.listOf(params.username));
  routes.add(grantContract.endUserGrant, async ({ caller, params }) => {
    await grants.endOf(caller, params.username, params.grantId);
    return { success: true as const };
  });
  const { publishers } = oauth;
  routes.add(publisherContract.listTrustedPublishers, ({ caller }) => publishers.list(caller));
  routes.add(publisherContract.createTrustedPublisher, ({ caller, body }) => publishers.create(caller, body));
  routes.add(publisherContract.deleteTrustedPublisher, async ({ caller, params }) => {
    await publishers.delete(caller, params.publisherId);
    return { success: true as const };
  });
}
