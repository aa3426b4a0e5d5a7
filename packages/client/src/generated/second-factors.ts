// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as secondFactors from '@moonbase/contract/sign-in/second-factors';
import type { SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

export type SecondFactor = SuccessAnswer<typeof secondFactors.getSecondFactor>;

export type NewSecondFactor = SuccessAnswer<typeof secondFactors.beginSecondFactor>;

/**
 * Get the caller's second factor.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function getSecondFactor(params: Hub): Promise<SuccessAnswer<typeof secondFactors.getSecondFactor>> {
  return call<typeof secondFactors.getSecondFactor>(params, { method: 'GET', path: '/api/settings/second-factors' });
}

/**
 * Create a secret for an authenticator. TOTP (RFC 6238): SHA-1, six digits, 30 seconds. The secret takes effect
 * when its first code is sent within 15 minutes; until then an existing second factor stays valid. Needs a session
 * that began with a password or a link within the last ten minutes.
 *
 * Throws a `HubApiError`: 400, 401, 403, 409.
 * - 403: With the code `RecentSignInNeeded`: the user signed in more than ten minutes ago.
 */
export function beginSecondFactor(params: Hub): Promise<SuccessAnswer<typeof secondFactors.beginSecondFactor>> {
  return call<typeof secondFactors.beginSecondFactor>(params, {
    method: 'POST',
    path: '/api/settings/second-factors',
    body: {},
  });
}

/**
 * Activate a new second factor with its first code. All other sessions end. 409 if no second factor is waiting to
 * be confirmed.
 *
 * Throws a `HubApiError`: 400, 401, 403, 409.
 */
export function confirmSecondFactor(
  params: Hub & {
    readonly code: string;
  },
): Promise<SuccessAnswer<typeof secondFactors.confirmSecondFactor>> {
  return call<typeof secondFactors.confirmSecondFactor>(params, {
    method: 'POST',
    path: '/api/settings/second-factors/confirm',
    body: { code: params.code },
  });
}

/**
 * Set up a second factor during a sign-in. For users who passed the first step and must set up a second factor on
 * this hub (`setUp` in the response). The first code goes to `POST /api/sign-in/second-factor`, which returns the
 * recovery codes.
 *
 * Throws a `HubApiError`: 400, 401, 403, 409.
 * - 401: With the code `SignInExpired`: begin again with the first step.
 * - 403: The request comes from a page of another origin.
 * - 409: The user has a second factor, or needs none.
 */
export function setUpSecondFactor(params: Hub): Promise<SuccessAnswer<typeof secondFactors.setUpSecondFactor>> {
  return call<typeof secondFactors.setUpSecondFactor>(params, {
    method: 'POST',
    path: '/api/sign-in/second-factor/set-up',
    body: {},
  });
}

/**
 * Replace the recovery codes. All other sessions end. 409 without a second factor.
 *
 * Throws a `HubApiError`: 400, 401, 403, 409.
 * - 403: With the code `RecentSignInNeeded`: the user signed in more than ten minutes ago.
 */
export function renewRecoveryCodes(params: Hub): Promise<SuccessAnswer<typeof secondFactors.renewRecoveryCodes>> {
  return call<typeof secondFactors.renewRecoveryCodes>(params, {
    method: 'POST',
    path: '/api/settings/second-factors/recovery-codes',
    body: {},
  });
}

/**
 * Remove the caller's second factor. All other sessions end.
 *
 * Throws a `HubApiError`: 401, 403, 409.
 * - 403: With the code `RecentSignInNeeded`: the user signed in more than ten minutes ago.
 * - 409: The caller has no second factor.
 */
export function disableSecondFactor(params: Hub): Promise<SuccessAnswer<typeof secondFactors.disableSecondFactor>> {
  return call<typeof secondFactors.disableSecondFactor>(params, {
    method: 'DELETE',
    path: '/api/settings/second-factors',
  });
}

/**
 * Get the second factor of a user.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getUserSecondFactor(
  params: Hub & {
    readonly username: string;
  },
): Promise<SuccessAnswer<typeof secondFactors.getUserSecondFactor>> {
  return call<typeof secondFactors.getUserSecondFactor>(params, {
    method: 'GET',
    path: '/api/admin/users/{username}/second-factors',
    params: { username: params.username },
  });
}

/**
 * Remove the second factor of a user who lost it. All sessions of the user end, and a mail tells the user who
 * removed it.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 409: The user has no second factor.
 */
export function resetSecondFactor(
  params: Hub & {
    readonly username: string;
  },
): Promise<SuccessAnswer<typeof secondFactors.resetSecondFactor>> {
  return call<typeof secondFactors.resetSecondFactor>(params, {
    method: 'DELETE',
    path: '/api/admin/users/{username}/second-factors',
    params: { username: params.username },
  });
}
