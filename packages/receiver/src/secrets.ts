/** The secret with which deliveries are verified; several while a secret is being rotated. */
export type SecretOption = string | readonly string[] | undefined;

/** The environment of Node.js, which other runtimes may lack. */
interface Environment {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

/**
 * Returns the given secrets, otherwise the one in `WEBHOOK_SECRET`, otherwise none. Throws a `TypeError` for an empty
 * secret, a mistake that must not open the endpoints.
 */
export function secretsOf(option: SecretOption): readonly string[] {
  const { process }: Environment = globalThis;
  const given = option ?? process?.env?.WEBHOOK_SECRET ?? [];
  const secrets = [given].flat();
  if (secrets.includes('')) throw new TypeError('The webhook secret is empty: give one, or none at all');
  return secrets;
}

/** Compares two texts in a time that depends only on the length of `given`. `expected` must not be empty. */
export function sameText(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length;
  for (let at = 0; at < given.length; at++)
    difference |= given.charCodeAt(at) ^ expected.charCodeAt(at % expected.length);
  return difference === 0;
}

/** Whether a text is one of the secrets; compares it with all of them, so that the time tells nothing. */
export const isSecret = (given: string, secrets: readonly string[]): boolean =>
  secrets.reduce((found, secret) => sameText(given, secret) || found, false);
