import * as z from 'zod';
import { Requester } from '../content/index.ts';
import type { Clock } from '../platform/clock.ts';
import { credentialExpiresAt, isAuthenticated, type ReadingCaller } from '../platform/http/authenticate.ts';
import { forbidden } from '../platform/http/errors.ts';
import type { Signer } from '../platform/secrets.ts';

const Common = {
  ...Requester.shape,
  repoId: z.string(),
  sha256: z.string(),
  size: z.number(),
};

const ForUpload = {
  ...Common,
  userId: z.string(),
  /** What the upload needs; URLs of the previous release do not say it. */
  permission: z.enum(['discussion.write', 'repo.write']).default('discussion.write'),
};

/** The purpose that a signed URL is valid for. */
const Purpose = z.discriminatedUnion('what', [
  z.object({ what: z.literal('get'), ...Common }),
  z.object({ what: z.literal('put'), ...ForUpload }),
  z.object({
    what: z.literal('part'),
    ...ForUpload,
    upload: z.string(),
    number: z.number(),
    partSize: z.number(),
  }),
  z.object({ what: z.literal('complete'), ...ForUpload, upload: z.string() }),
]);
export type Purpose = z.infer<typeof Purpose>;

const Signed = z.object({ until: z.number(), purpose: Purpose });

/** A day, because git-lfs asks for the URLs of many files at once and may take hours to get to the last one. */
const URL_SECONDS = 24 * 60 * 60;

export type Addresses = ReturnType<typeof createAddresses>;

/** Signs and verifies URLs that need no other credentials. */
export function createAddresses({ signer, clock }: { readonly signer: Signer; readonly clock: Clock }) {
  return {
    /** Returns for how many seconds a URL is good: for a day, and no longer than the credential of the caller. */
    secondsFor(caller: ReadingCaller): number {
      const endsAt = isAuthenticated(caller) ? credentialExpiresAt(caller.principal) : undefined;
      return endsAt === undefined ? URL_SECONDS : Math.min(URL_SECONDS, Math.ceil((endsAt - clock.now()) / 1000));
    },

    urlFor(baseUrl: string, purpose: Purpose, seconds = URL_SECONDS): string {
      const signed: z.infer<typeof Signed> = { until: clock.now() + seconds * 1000, purpose };
      const text = Buffer.from(JSON.stringify(signed)).toString('base64url');
      return `${baseUrl}/api/large-files/${text}.${signer.sign(text)}`;
    },

    /** Throws the same 403 for a URL that was tampered with, has expired, or serves another purpose. */
    read<What extends Purpose['what']>(
      address: string,
      ...purposes: readonly What[]
    ): Extract<Purpose, { readonly what: What }> {
      const { until, purpose } = signedIn(signer, address) ?? {};
      const isMeant = (found: Purpose): found is Extract<Purpose, { readonly what: What }> =>
        purposes.some((what) => what === found.what);
      if (until === undefined || until <= clock.now() || purpose === undefined || !isMeant(purpose))
        throw forbidden('This URL is not valid for this request, or has expired; request a new one');
      return purpose;
    },
  };
}

function signedIn(signer: Signer, address: string): z.infer<typeof Signed> | undefined {
  const [text = '', signature = '', rest] = address.split('.');
  if (rest !== undefined || !signer.verify(text, signature)) return undefined;
  // The signature is the hub's own, but a URL from another release may have another form.
  return Signed.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data;
}
