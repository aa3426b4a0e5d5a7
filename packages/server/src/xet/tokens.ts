import * as z from 'zod';
import type { Clock } from '../platform/clock.ts';
import { unauthorized } from '../platform/http/errors.ts';
import type { SecretBox, Signer } from '../platform/secrets.ts';

/** Clients request a new token shortly before the end. */
export const TOKEN_SECONDS = 60 * 60;

const PREFIX = 'xet_';

/** What a token is good for. */
const Scope = z.object({
  repoId: z.string(),
  direction: z.enum(['read', 'write']),
  /** Whether the files are for a pull request, which whoever reads the repository may open. */
  isProposal: z.boolean(),
  /** The revision that the token was requested for. */
  revision: z.string(),
});
export type Scope = z.infer<typeof Scope>;

/** `credential` is the access token that requested the Xet token, sealed; null if a stranger did. */
const Signed = z.object({ until: z.number(), credential: z.string().nullable(), scope: Scope });

interface Dependencies {
  readonly signer: Signer;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
}

const sealedAt = ({ repoId }: Scope) => ({ table: 'xet tokens', column: 'credential', id: repoId });

/** Returns whether a text has the form of a Xet token. */
const isXetToken = (text: string): boolean => text.startsWith(PREFIX);

export type Tokens = ReturnType<typeof createTokens>;

/**
 * Signs and verifies the tokens of Xet clients, which the hub does not store. A token is never good for more than the
 * access token that it was made with, which it contains encrypted.
 */
export function createTokens({ signer, secretBox, clock }: Dependencies) {
  return {
    /** Returns a token, and when it expires in seconds since 1970. */
    make(scope: Scope, credential: string | null): { readonly text: string; readonly expires: number } {
      const expires = Math.floor(clock.now() / 1000) + TOKEN_SECONDS;
      const signed: z.infer<typeof Signed> = {
        until: expires * 1000,
        credential: credential === null ? null : secretBox.seal(credential, sealedAt(scope)),
        scope,
      };
      const text = PREFIX + Buffer.from(JSON.stringify(signed)).toString('base64url');
      return { text: `${text}.${signer.sign(text)}`, expires };
    },

    /**
     * Returns the scope of a token and its access token, null if there is none. Throws the same 401 for a wrong token and
     * an expired one.
     */
    read(token: string | undefined): { readonly scope: Scope; readonly credential: string | null } {
      const signed = token === undefined ? undefined : signedIn(token);
      if (!signed || signed.until <= clock.now()) throw invalidToken();
      const { scope, credential } = signed;
      return { scope, credential: credential === null ? null : secretBox.open(credential, sealedAt(scope)) };
    },
  };

  function signedIn(token: string): z.infer<typeof Signed> | undefined {
    const [text = '', signature = '', rest] = token.split('.');
    if (rest !== undefined || !isXetToken(text) || !signer.verify(text, signature)) return undefined;
    // The signature is the hub's own, but a token from another release may have another form.
    return Signed.safeParse(JSON.parse(Buffer.from(text.slice(PREFIX.length), 'base64url').toString())).data;
  }
}

export const invalidToken = () => unauthorized('This Xet token is not valid here, or has expired; request a new one');
