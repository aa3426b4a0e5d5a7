/** What to do about an error of TLS, by the code that Node.js or OpenSSL gives it. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [
    /SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|CERT_UNTRUSTED/,
    'Its certificate is not trusted: name the certificate of the authority that issued it, as in NODE_EXTRA_CA_CERTS=/path/to/ca.pem.',
  ],
  [/^CERT_HAS_EXPIRED$/, 'Its certificate has expired: renew it there, or correct the clock of this machine.'],
  [/^CERT_NOT_YET_VALID$/, 'Its certificate is not valid yet: correct the clock of this machine.'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'Its certificate is for other names: use one of them in --url or MOONBASE_URL.'],
  [
    /^(ERR_SSL_|EPROTO)/,
    'There is a server without TLS: begin the URL with http:// in --url or MOONBASE_URL, or set up TLS there.',
  ],
];

/** Returns what to do about an error of a connection to a hub by https; undefined for errors of another kind. */
export const tlsRemedy = (code: string | undefined, hubUrl: string | undefined): string | undefined =>
  hubUrl?.startsWith('https:') ? REMEDIES.find(([codes]) => codes.test(code ?? ''))?.[1] : undefined;
