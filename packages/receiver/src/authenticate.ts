import { type Answer, refusal } from './answer.ts';
import { chain, type MaybePromise } from './maybe.ts';
import type { Bytes, IncomingRequest } from './request.ts';
import { isSecret } from './secrets.ts';
import { createVerifier, isTimely, signatureOf } from './signature.ts';

/** What is left to do when the headers were looked at: refuse at once, or ask the body. */
export interface HeadVerdict {
  readonly refused?: Answer;
  /** Refuses a body that was not signed with a secret; missing where nothing is signed. */
  readonly bodyRefused?: (body: Bytes) => MaybePromise<Answer | undefined>;
}

const MISSING = refusal(401, 'x-webhook-secret header not set.');
const WRONG = refusal(403, 'Invalid webhook secret.');
const UNTIMELY = refusal(403, 'webhook-timestamp is not within five minutes of now.');
const WRONGLY_SIGNED = refusal(403, 'Invalid webhook signature.');

/**
 * Who may deliver: whoever knows one of the secrets (W§3.4). A signature says more than the secret in a header, as it
 * covers id, time and body; where there is one, it decides. During a rotation the header has the new secret, and one of
 * the signatures is made with the old one. Without secrets, everybody may.
 */
export function createAuthenticator(secrets: readonly string[], now: () => number) {
  const isSigned = createVerifier(secrets);
  return (request: IncomingRequest): HeadVerdict => {
    if (secrets.length === 0) return {};
    const given = request.header('x-webhook-secret');
    const signature = signatureOf(request);
    const wrong = given !== undefined && !isSecret(given, secrets);
    if (signature === undefined) {
      if (given === undefined) return { refused: MISSING };
      return wrong ? { refused: WRONG } : {};
    }
    const refused = wrong ? WRONG : WRONGLY_SIGNED;
    if (!isTimely(signature, now())) return { refused: wrong ? WRONG : UNTIMELY };
    return {
      bodyRefused: (body) => chain(isSigned(signature, body, request.hmac), (valid) => (valid ? undefined : refused)),
    };
  };
}
