/** An outbound failure whose message is a sentence for people. */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure';
}

const MAX_LENGTH = 300;

const CLOSED_EARLY = 'The connection was closed before the answer was complete';
const HEADERS_TOO_LARGE = "The answer's headers are too large";

const INVALID = 'The answer is not valid HTTP: ';

const SENTENCES = new Map([
  ['ECONNREFUSED', 'Connection refused'],
  ['ECONNRESET', CLOSED_EARLY],
  ['EPIPE', CLOSED_EARLY],
  ['UND_ERR_SOCKET', CLOSED_EARLY],
  ['ETIMEDOUT', 'Timed out while connecting'],
  ['EHOSTUNREACH', 'The host is unreachable'],
  ['ENETUNREACH', 'The network is unreachable'],
  ['UND_ERR_HEADERS_OVERFLOW', HEADERS_TOO_LARGE],
  ['HPE_HEADER_OVERFLOW', HEADERS_TOO_LARGE],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', `${INVALID}its body is not as long as announced`],
]);
/** Errors of undici that differ only in their message. */
const SOCKET_SENTENCES = new Map([
  ['bad response', `${INVALID}100 Continue, which was not requested`],
  ['bad upgrade', `${INVALID}another protocol (101), which was not requested`],
]);

const NAME_CODES = ['ENOTFOUND', 'ENODATA'];
// OpenSSL's verification results (X509_V_ERR_*, as Node.js names them) share no prefix.
const TLS_CODE =
  /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|INVALID_|HOSTNAME_|PATH_LENGTH)/;

function textOf(error: unknown, field: 'name' | 'code' | 'reason' | 'message'): string {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined;
  return typeof value === 'string' ? value : '';
}

function sentenceFor(error: unknown, host: string): string {
  const [code, message] = [textOf(error, 'code'), textOf(error, 'message')];
  if (error instanceof OutboundFailure) return message;
  if (NAME_CODES.includes(code)) return `Name not found: ${host}`;
  if (TLS_CODE.test(code)) return `TLS: ${textOf(error, 'reason') || message} (${code})`;
  const known = (code === 'UND_ERR_SOCKET' ? SOCKET_SENTENCES.get(message) : undefined) ?? SENTENCES.get(code);
  if (known !== undefined) return known;
  if (textOf(error, 'name') === 'HTTPParserError') return `${INVALID}${message}`;
  return [code, message].filter((part) => part !== '').join(': ') || 'Unknown error';
}

/** Describes why a request to `host` failed, in one line of at most 300 characters. */
export function describeFailure(error: unknown, host: string): string {
  // Messages about certificates and from parsers can contain bytes of the remote side.
  return sentenceFor(error, host)
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_LENGTH);
}
