/** What deliveries are verified with: several while a secret is being rotated. */
export type SecretOption = string | readonly string[] | undefined;

interface Environment {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

/**
 * The secrets given, otherwise the one in `WEBHOOK_SECRET`, otherwise none. Throws a `TypeError` for an empty one: it
 * is a mistake that must not open the endpoints.
 */
export function secretsOf(option: SecretOption): readonly string[] {
  const given = option ?? (globalThis as Environment).process?.env?.WEBHOOK_SECRET ?? [];
  const secrets = [given].flat();
  if (secrets.includes('')) throw new TypeError('The webhook secret is empty: give one, or none at all');
  return secrets;
}

/** Compares in a time that depends on the length of what was given only. `expected` is not empty. */
export function sameText(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length;
  for (let at = 0; at < given.length; at++)
    difference |= given.charCodeAt(at) ^ expected.charCodeAt(at % expected.length);
  return difference === 0;
}

/** Whether this is one of the secrets; looks at all of them. */
export const isSecret = (given: string, secrets: readonly string[]): boolean =>
  secrets.reduce((found, secret) => sameText(given, secret) || found, false);
