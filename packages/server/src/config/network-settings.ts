import * as z from 'zod';
import { parseQuotas } from '../platform/limits/quotas.ts';
import { cidrs, flag, optional, text } from './forms.ts';
import { setting } from './setting.ts';

const quotas = text.transform((value, context) => {
  try {
    return parseQuotas(value);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'is no quota' });
    return z.NEVER;
  }
});

export const NetworkSettings = z.object({
  anonymousRead: setting(
    'MOONBASE_ANONYMOUS_READ',
    optional(flag),
    'Whether what is public can be read without an access token: repositories and their files, lists, git, discussions, papers, posts and profiles. See [security.md](security.md#reading-without-a-token).',
    '`true` in [development mode](#development-mode), `false` otherwise',
  ),
  outboundAllow: setting(
    'MOONBASE_OUTBOUND_ALLOW',
    cidrs.default([]),
    'Addresses and CIDR ranges, comma-separated, that webhooks, mirrors and redirects of the upstream may reach in addition to public addresses.',
  ),
  trustedProxies: setting(
    'MOONBASE_TRUSTED_PROXIES',
    cidrs.default([]),
    'Addresses and CIDR ranges of proxies whose `X-Forwarded-*` headers are trusted.',
  ),
  rateLimits: setting(
    'MOONBASE_RATE_LIMITS',
    quotas.prefault('off'),
    'Requests per 300 s: `public` for the limits of the public hub by plan, one number for everybody, or a number per plan, such as `anonymous=500,free=1000,pro=2500`. See [below](#rate-limits).',
  ),
});
