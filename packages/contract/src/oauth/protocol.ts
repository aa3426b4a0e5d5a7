import * as z from 'zod';
import { defineRoute } from '../route.ts';

const tags = ['oauth'];

/*
 * Requests of third-party programs: RFC 6749, 7009, 8628 and OpenID Connect. Required fields are optional here, so that
 * their absence is answered with the error that these standards define.
 */
const text = z.string().max(10_000).optional();

const Client = { client_id: text, client_secret: text };

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
export const EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const ID_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:id_token';

export const DeviceAuthorization = z
  .object({
    device_code: z.string().meta({ description: 'The code with which the program requests tokens.' }),
    user_code: z.string().meta({ description: 'The code that the user types in a browser: `ABCD-EFGH`.' }),
    verification_uri: z.string(),
    verification_uri_complete: z.string(),
    expires_in: z.int().meta({ description: 'In seconds.' }),
    interval: z.int().meta({ description: 'How many seconds to wait between two requests for tokens.' }),
  })
  .meta({ id: 'DeviceAuthorization' });

export const beginDeviceLogin = defineRoute({
  id: 'beginDeviceLogin',
  method: 'POST',
  path: '/oauth/device',
  summary: 'Begin a login of a program without a browser',
  description: 'RFC 8628: the user opens `verification_uri` and types `user_code`, while the program polls for tokens.',
  tags,
  authority: 'public',
  forms: true,
  body: z.object({ ...Client, scope: text }),
  answers: { 200: DeviceAuthorization },
  otherAnswers: {
    401: '`invalid_client`: no application has this id and secret.',
    429: 'Too many logins wait for their person at the address of the caller.',
  },
});

export const OauthTokens = z
  .object({
    access_token: z.string(),
    issued_token_type: z.string().optional().meta({ description: 'Only in the response to a token exchange.' }),
    token_type: z.literal('bearer'),
    expires_in: z.int().meta({ description: 'In seconds.' }),
    scope: z.string(),
    refresh_token: z.string().optional(),
    id_token: z.string().optional(),
  })
  .meta({ id: 'OauthTokens' });
export type OauthTokens = z.infer<typeof OauthTokens>;

export const exchangeForTokens = defineRoute({
  id: 'exchangeForTokens',
  method: 'POST',
  path: '/oauth/token',
  summary: 'Exchange a code, a refresh token or the token of a trusted publisher for tokens',
  description:
    `Grants: \`authorization_code\`, \`refresh_token\`, \`${DEVICE_GRANT}\` and \`${EXCHANGE_GRANT}\` (RFC 8693), with which ` +
    'a trusted publisher sends `subject_token`, its type and the `resource`.',
  tags,
  authority: 'public',
  forms: true,
  body: z.object({
    ...Client,
    grant_type: text,
    device_code: text,
    code: text,
    redirect_uri: text,
    code_verifier: text,
    refresh_token: text,
    subject_token: text,
    subject_token_type: text,
    resource: text,
  }),
  answers: { 200: OauthTokens },
  otherAnswers: { 401: '`invalid_client`: no application has this id and secret.' },
});

export const revokeOauthToken = defineRoute({
  id: 'revokeOauthToken',
  method: 'POST',
  path: '/oauth/revoke',
  summary: 'Revoke a token of an application, and all tokens of the same authorization',
  description: 'RFC 7009. The response is the same for an unknown token.',
  tags,
  authority: 'public',
  forms: true,
  body: z.object({ ...Client, token: text, token_type_hint: text }),
  answers: { 200: z.object({}) },
  otherAnswers: { 401: '`invalid_client`: no application has this id and secret.' },
});

export const UserInfo = z
  .object({
    sub: z.string(),
    name: z.string().optional(),
    preferred_username: z.string().optional(),
    profile: z.string().optional(),
    picture: z.string().optional(),
    isPro: z.boolean().optional(),
    email: z.string().optional(),
    email_verified: z.boolean().optional(),
    orgs: z
      .array(
        z.object({
          sub: z.string(),
          name: z.string(),
          preferred_username: z.string(),
          picture: z.string(),
          plan: z.string().optional(),
          roleInOrg: z.string().optional(),
        }),
      )
      .optional(),
  })
  .meta({ id: 'UserInfo' });
export type UserInfo = z.infer<typeof UserInfo>;

export const getUserInfo = defineRoute({
  id: 'getUserInfo',
  method: 'GET',
  path: '/oauth/userinfo',
  summary: 'Get the claims about a user that an application may read',
  description: 'For tokens of applications with the scope `openid`; further claims depend on the other scopes.',
  tags,
  authority: 'signed-in',
  answers: { 200: UserInfo },
});

export const oauthRoutes = [beginDeviceLogin, exchangeForTokens, revokeOauthToken, getUserInfo] as const;
