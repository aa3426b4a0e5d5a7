import { randomBytes } from 'node:crypto';
import type { NewSecondFactor } from '@moonbase/contract/sign-in/second-factors';
import type { Account } from '../../accounts/index.ts';
import { type Clock, timestamp } from '../../platform/clock.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { badRequest, conflict } from '../../platform/http/errors.ts';
import type { Ids } from '../../platform/ids.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { base32 } from './base32.ts';
import { confirmFactor, findPendingFactor, putPendingFactor } from './factor-store.ts';
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts';
import { replaceRecoveryCodes } from './recovery-store.ts';
import { secretAt } from './sealed-secret.ts';
import { matchingStep, otpauthUri, SECRET_BYTES, typedCode } from './totp.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secretBox: SecretBox;
}

/** How long a new secret waits for its first code. */
const PENDING_MS = 15 * 60_000;

export type FactorSetUp = ReturnType<typeof createFactorSetUp>;

/** Replaces the recovery codes of a user. Returns the new ones, which are shown only once. */
export async function renewRecoveryCodes(tx: Executor, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => recoveryHash(userId, code));
  await replaceRecoveryCodes(tx, userId, hashes);
  return codes;
}

/** The set-up of an authenticator: a secret, and a first code which proves that the authenticator has the secret. */
export function createFactorSetUp({ clock, ids, secretBox }: Dependencies) {
  return {
    /** Creates a secret, which becomes valid once it is confirmed; the current factor stays valid until then. */
    async begin(
      tx: Executor,
      { id: userId, name }: Pick<Account, 'id' | 'name'>,
      hubUrl: string,
    ): Promise<NewSecondFactor> {
      const secret = randomBytes(SECRET_BYTES);
      const id = ids();
      const now = clock.now();
      await putPendingFactor(tx, {
        ...{ id, user_id: userId, kind: 'totp', last_step: 0, created_at: now, confirmed_at: null },
        sealed: secretBox.seal(secret.toString('base64'), secretAt(id)),
      });
      const text = base32(secret);
      return {
        secret: text,
        uri: otpauthUri({ secret: text, issuer: `Moonbase ${new URL(hubUrl).host}`, user: name }),
        expiresAt: timestamp(now + PENDING_MS),
      };
    },

    /**
     * Confirms the new secret with its first code. Returns the recovery codes. Throws 409 if no secret is pending, 400
     * for a wrong code.
     */
    async confirm(tx: Executor, userId: string, typed: string): Promise<string[]> {
      const pending = await findPendingFactor(tx, userId);
      const now = clock.now();
      if (!pending || pending.created_at + PENDING_MS <= now)
        throw conflict('No second factor is waiting to be confirmed; begin again');
      const secret = Buffer.from(secretBox.open(pending.sealed, secretAt(pending.id)), 'base64');
      const step = matchingStep(secret, typedCode(typed) ?? '', { now, after: 0 });
      if (step === undefined)
        throw badRequest('body.code: is not the code that the authenticator shows now; check its clock as well');
      await confirmFactor(tx, pending, { step, now });
      return renewRecoveryCodes(tx, userId);
    },
  };
}
