import * as z from 'zod';
import { flag, optional, text, wholeNumber } from './forms.ts';
import { secret, setting } from './setting.ts';

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
    'Address of another hub, such as `https://huggingface.co`. Models, datasets and Spaces that this hub does not have are read from there. See [upstream.md](upstream.md).',
    'none',
  ),
  token: secret(
    'MOONBASE_UPSTREAM_TOKEN',
    optional(text),
    'Access token for the upstream, which it is sent to alone. A token that can only read is enough.',
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
    'Names that are never read from the upstream, in the same form. Overrides `MOONBASE_UPSTREAM_ALLOW`.',
    'none',
  ),
  sharePrivate: setting(
    'MOONBASE_UPSTREAM_SHARE_PRIVATE',
    flag.prefault('false'),
    'Whether everybody who is signed in may read what is private or gated at the upstream, as far as the token may. `false`: only what is public there.',
  ),
  freshSeconds: setting(
    'MOONBASE_UPSTREAM_FRESH_SECONDS',
    wholeNumber(30 * 86_400).prefault('300'),
    'Seconds after which the hub asks the upstream again about a name or a branch.',
  ),
  maxMebibytes: setting(
    'MOONBASE_UPSTREAM_MAX_MIB',
    wholeNumber(9_999_999_999, 1).prefault('102400'),
    'MiB of files of the upstream that are kept. The least recently used files make room for others.',
  ),
  keepDays: setting(
    'MOONBASE_UPSTREAM_KEEP_DAYS',
    wholeNumber(3650, 1).prefault('30'),
    'Days for which files and facts of the upstream are kept after their last use.',
  ),
});
