/**
 * Returns the headers of every response unless its route overrides them. Responses are data for programs: they do not
 * execute, are not framed or embedded, and other origins read them by CORS with a token. No cache may keep them, since
 * visibility can change at any moment.
 */
export const securityHeaders = (publicUrl: string | undefined): Readonly<Record<string, string>> => ({
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // HSTS is sent only if the operator configured https; subdomains are not the hub's to decide on.
  ...(/^https:/i.test(publicUrl ?? '') && { 'strict-transport-security': 'max-age=31536000' }),
});

/** Lets pages of other origins show a picture. */
export const EMBEDDABLE = { 'cross-origin-resource-policy': 'cross-origin' } as const;
