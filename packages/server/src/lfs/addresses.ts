import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import { forbidden } from '../platform/http/errors.ts';
import type { Signer } from '../platform/secrets.ts';

const Common = {
  repoId: z.string(),
  sha256: z.string(),
  size: z.number(),
};

/** The purpose that a signed URL is valid for. */
const Purpose = z.discriminatedUnion('what', [
  z.object({
    what: z.literal('get'),
    ...Common,
    /** Absent if a stranger requested the URL. */
    userId: z.string().optional(),
  }),
  z.object({ what: z.literal('put'), ...Common, userId: z.string() }),
  z.object({
    what: z.literal('part'),
    ...Common,
    userId: z.string(),
    upload: z.string(),
    number: z.number(),
    partSize: z.number(),
  }),
  z.object({ what: z.literal('complete'), ...Common, userId: z.string(), upload: z.string() }),
]);
export type Purpose = z.infer<typeof Purpose>;

const Signed = z.object({ until: z.number(), purpose: Purpose });

/** A day, because git-lfs asks for the URLs of many files at once and may take hours to get to the last one. */
export const URL_SECONDS = 24 * 60 * 60;

export type Addresses = ReturnType<typeof createAddresses>;

/** Signs and verifies URLs that need no other credentials. */
export function createAddresses({ signer, clock }: { readonly signer: Signer; readonly clock: Clock }) {
  return {
    urlFor(baseUrl: string, purpose: Purpose): string {
      const signed: z.infer<typeof Signed> = { until: clock.now() + URL_SECONDS * 1000, purpose };
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
