import * as z from 'zod';
import { Requester } from '../../content/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { forbidden } from '../../platform/http/errors.ts';
import type { Signer } from '../../platform/secrets.ts';

/** Clients that take longer ask where the chunks are again. */
const URL_SECONDS = 15 * 60;

const PREFIX = 'range_';

/** The chunks that a URL is for: some of a xorb, which is a part of a file that a repository has. */
const SignedRange = z.object({
  ...Requester.shape,
  repoId: z.string(),
  sha256: z.string(),
  /** The first chunk of the xorb within the file. */
  firstChunk: z.number(),
  /** The chunks within the xorb, without the last one. */
  start: z.number(),
  end: z.number(),
});
export type SignedRange = z.infer<typeof SignedRange>;

const Signed = z.object({ until: z.number(), range: SignedRange });

export type RangeUrls = ReturnType<typeof createRangeUrls>;

/** Signs and verifies the URLs of chunks, which need no other credentials. */
export function createRangeUrls({ signer, clock }: { readonly signer: Signer; readonly clock: Clock }) {
  function signedIn(address: string): z.infer<typeof Signed> | undefined {
    const [text = '', signature = '', rest] = address.split('.');
    if (rest !== undefined || !text.startsWith(PREFIX) || !signer.verify(text, signature)) return undefined;
    // The signature is the hub's own, but a URL from another release may have another form.
    return Signed.safeParse(JSON.parse(Buffer.from(text.slice(PREFIX.length), 'base64url').toString())).data;
  }

  return {
    urlFor(baseUrl: string, range: SignedRange): string {
      const signed: z.infer<typeof Signed> = { until: clock.now() + URL_SECONDS * 1000, range };
      const text = PREFIX + Buffer.from(JSON.stringify(signed)).toString('base64url');
      return `${baseUrl}/api/xet-ranges/${text}.${signer.sign(text)}`;
    },

    /** Throws the same 403 for a URL that was tampered with and for one that has expired; clients then ask again. */
    read(address: string): SignedRange {
      const { until, range } = signedIn(address) ?? {};
      if (until === undefined || range === undefined || until <= clock.now())
        throw forbidden('This URL is not valid, or has expired; ask where the chunks are again');
      return range;
    },
  };
}
