/**
 * What stands on every answer unless its route says otherwise. Nothing here runs or is framed; answers are data for
 * programs, which other origins read by the cross-origin rules, with a token, and do not embed. What a caller may see
 * is not kept by anything in between: it may have been made public, or taken away, a moment later.
 */
export const securityHeaders = (publicUrl: string | undefined): Readonly<Record<string, string>> => ({
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Only where the operator says that people come over TLS; other names below that host are not the hub's to decide on.
  ...(/^https:/i.test(publicUrl ?? '') && { 'strict-transport-security': 'max-age=31536000' }),
});

/** For pictures, which pages of other origins show. */
export const EMBEDDABLE = { 'cross-origin-resource-policy': 'cross-origin' } as const;
