import * as z from 'zod';
import { EmailAddress } from '../primitives.ts';
import { defineRoute } from '../route.ts';

const tags = ['auth'];

/** A password as typed by a user; longer ones are refused before any hashing. */
export const Password = z
  .string()
  .min(1)
  .refine((text) => new TextEncoder().encode(text).length <= 1024, 'must have 1,024 bytes at most')
  .meta({ description: 'At most 1,024 bytes of UTF-8.' });

/** The user who has signed in. The session itself is a cookie, which only the hub's own pages can use. */
export const SignedIn = z
  .object({
    user: z.object({ id: z.string(), name: z.string(), fullname: z.string(), avatarUrl: z.string() }),
    expiresAt: z.iso.datetime().meta({ description: 'The time at which the session ends, even if it is in use.' }),
    secondFactor: z
      .literal(true)
      .optional()
      .meta({
        description:
          'There is no session yet: the user has a second factor, and `POST /api/sign-in/second-factor` expects its code ' +
          'until `expiresAt`.',
      }),
    setUp: z
      .literal(true)
      .optional()
      .meta({
        description:
          'With `secondFactor`: the hub requires a second factor, which the user does not have yet. ' +
          '`POST /api/sign-in/second-factor/set-up` creates its secret, and its first code completes the sign-in.',
      }),
    recoveryCodes: z.array(z.string()).optional().meta({
      description:
        'The recovery codes of a second factor that was set up in the second step. They are shown only once.',
    }),
  })
  .meta({ id: 'SignedIn' });
export type SignedIn = z.infer<typeof SignedIn>;

const foreign = 'The request comes from a page of another origin.';
const refusedWay = 'The request comes from a page of another origin, or nobody signs in to this hub this way.';
const throttled = 'Too many failed attempts; `Retry-After` says when to try again.';

export const signIn = defineRoute({
  id: 'signIn',
  method: 'POST',
  path: '/api/sign-in',
  summary: 'Sign in with a password',
  description:
    'With a user name or a confirmed e-mail address. The response is the same for a wrong password, an unknown name, a ' +
    'disabled user and a user without a password. A user with a second factor gets a session only after the second step.',
  tags,
  authority: 'public',
  body: z.object({ name: z.string().min(1).max(320), password: Password }),
  answers: { 200: SignedIn },
  otherAnswers: { 401: 'The name or the password is incorrect.', 403: refusedWay, 429: throttled },
});

export const signInSecondStep = defineRoute({
  id: 'signInSecondStep',
  method: 'POST',
  path: '/api/sign-in/second-factor',
  summary: 'Take the second step of signing in',
  description:
    'With a code of the authenticator, or a recovery code; each is valid once. The cookie of the first step identifies the user.',
  tags,
  authority: 'public',
  body: z.object({ code: z.string().min(1).max(100) }),
  answers: { 200: SignedIn },
  otherAnswers: {
    401: 'The code is wrong; with the code `SignInExpired`: begin again with the first step.',
    403: foreign,
    429: throttled,
  },
});

export const signInWithToken = defineRoute({
  id: 'signInWithToken',
  method: 'POST',
  path: '/api/sign-in/token',
  summary: 'Sign in with an access token',
  description: 'The session has the rights of the token, and ends with it.',
  tags,
  authority: 'public',
  body: z.object({ token: z.string().min(1).max(200) }),
  answers: { 200: SignedIn },
  otherAnswers: { 401: 'The access token is invalid.', 403: refusedWay, 429: throttled },
});

export const signOut = defineRoute({
  id: 'signOut',
  method: 'POST',
  path: '/api/sign-out',
  summary: 'End the session of this browser',
  description: 'The response is the same without a session.',
  tags,
  authority: 'public',
  body: z.object({}),
  answers: { 200: z.object({}) },
  otherAnswers: { 403: foreign },
});

export const getSignInMethods = defineRoute({
  id: 'getSignInMethods',
  method: 'GET',
  path: '/api/sign-in/methods',
  summary: 'Get the ways to sign in to this hub',
  tags,
  authority: 'public',
  answers: {
    200: z.object({
      password: z.boolean(),
      token: z.boolean(),
      passwordMin: z.int().meta({ description: 'The minimum length of a new password.' }),
      mail: z
        .boolean()
        .meta({ description: 'Whether the hub mails links, to reset a password or to confirm an address.' }),
      signUp: z
        .object({
          domains: z.array(z.string()).meta({ description: 'An address at one of these domains is needed.' }),
        })
        .optional()
        .meta({ description: 'Present if people create accounts for themselves.' }),
      provider: z
        .object({
          name: z.string(),
          auto: z.literal(true).optional().meta({ description: 'The sign-in page redirects there automatically.' }),
        })
        .optional()
        .meta({ description: 'The OpenID provider of the hub, if configured.' }),
    }),
  },
});

export const requestReset = defineRoute({
  id: 'requestReset',
  method: 'POST',
  path: '/api/sign-in/reset',
  summary: 'Request a link by mail that resets a password',
  description:
    'With a user name or a confirmed e-mail address. The response is the same whether such a user exists or not; the link ' +
    'goes to the confirmed address of a user who has a password. 409 if the hub mails no links.',
  tags,
  authority: 'public',
  body: z.object({ name: z.string().min(1).max(320) }),
  answers: { 200: z.object({}) },
  otherAnswers: { 403: refusedWay, 429: throttled },
});

export const signUp = defineRoute({
  id: 'signUp',
  method: 'POST',
  path: '/api/sign-up',
  summary: 'Request a link by mail that creates an account',
  description:
    'If `MOONBASE_SIGN_UP` has mail domains, for addresses at these. The response is the same whether an account has the ' +
    'address or not. The link works once, within a day, and creates the account; if an account has the address already, a ' +
    'link that resets its password is mailed instead.',
  tags,
  authority: 'public',
  body: z.object({ email: EmailAddress }),
  answers: { 200: z.object({}) },
  otherAnswers: {
    403: 'The request comes from a page of another origin, or nobody signs up with such an address.',
    429: throttled,
  },
});

export const signInRoutes = [
  signIn,
  signInSecondStep,
  signInWithToken,
  signOut,
  getSignInMethods,
  requestReset,
  signUp,
] as const;
