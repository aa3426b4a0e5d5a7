import { z } from 'zod';
import { flag, optional, text, wholeNumber } from './forms.ts';
import { setting } from './setting.ts';

const address = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .refine((url) => !/[?#@]/.test(url), 'must have no user, query or fragment')
  .transform((url) => url.replace(/\/+$/, ''));

/** Patterns of names, separated by commas, in lower case. */
const patterns = text
  .transform((value) => value.split(',').map((part) => part.trim().toLowerCase()))
  .pipe(
    z.array(
      z
        .string()
        .regex(
          /^(\*|[a-z0-9._*-]+\/[a-z0-9._*-]+)$/,
          'must be names such as `google/gemma` or patterns such as `google/*`',
        ),
    ),
  );

export const UpstreamSettings = z.object({
  url: setting(
    'MOONBASE_UPSTREAM_URL',
    optional(address),
    'Address of another hub, such as `https://huggingface.co`, from which models, datasets and Spaces are read that this hub does not have. See [upstream.md](upstream.md).',
    'none',
  ),
  token: setting(
    'MOONBASE_UPSTREAM_TOKEN',
    optional(text),
    'Access token for the upstream. A token that can only read is enough. It is sent to the upstream alone.',
  ),
  allow: setting(
    'MOONBASE_UPSTREAM_ALLOW',
    optional(patterns),
    'Names that may be read from the upstream, comma-separated, with `*` for any characters: `google/*,acme/weather`.',
    'all names whose namespace this hub does not have',
  ),
  deny: setting(
    'MOONBASE_UPSTREAM_DENY',
    optional(patterns),
    'Names that are never read from the upstream, in the same form; goes before `MOONBASE_UPSTREAM_ALLOW`.',
    'none',
  ),
  sharePrivate: setting(
    'MOONBASE_UPSTREAM_SHARE_PRIVATE',
    flag.prefault('false'),
    'Whether everybody who is signed in may read what is private or gated at the upstream and the token can read. `false`: only what is public there is read.',
  ),
  freshSeconds: setting(
    'MOONBASE_UPSTREAM_FRESH_SECONDS',
    wholeNumber(30 * 86_400).prefault('300'),
    'Seconds for which the hub relies on what the upstream said about a name or a branch before it asks again.',
  ),
  maxMebibytes: setting(
    'MOONBASE_UPSTREAM_MAX_MIB',
    wholeNumber(9_999_999_999, 1).prefault('102400'),
    'MiB of files of the upstream that are kept; the files that were not used for the longest time make room.',
  ),
  keepDays: setting(
    'MOONBASE_UPSTREAM_KEEP_DAYS',
    wholeNumber(3650, 1).prefault('30'),
    'Days after their last use for which files and facts of the upstream are kept.',
  ),
});
