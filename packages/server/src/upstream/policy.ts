/** The names that may be read from the upstream, as patterns in lower case. */
export interface NameRules {
  readonly allow: readonly string[] | undefined;
  readonly deny: readonly string[] | undefined;
}

const expression = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern.replace(/[^*]+/g, (text) => text.replace(/[.\\+?^${}()|[\]]/g, '\\$&')).replace(/\*+/g, '.*')}$`,
  );

/** Whether a pattern names its namespace, so that it means that namespace and no other. */
const namesNamespace = (pattern: string): boolean => !(pattern.split('/')[0] ?? '').includes('*');

/**
 * Creates the rule about names. `no`: never read from the upstream; `yes`: read even if this hub has the namespace, because
 * the operator has named it; `unless-ours`: read if this hub does not have the namespace.
 */
export function createNameRule({ allow = ['*'], deny = [] }: NameRules) {
  const denied = deny.map(expression);
  const allowed = allow.map((pattern) => ({ matches: expression(pattern), isNamed: namesNamespace(pattern) }));
  return (nameKey: string): 'no' | 'yes' | 'unless-ours' => {
    if (denied.some((each) => each.test(nameKey))) return 'no';
    const found = allowed.filter(({ matches }) => matches.test(nameKey));
    if (found.length === 0) return 'no';
    return found.some(({ isNamed }) => isNamed) ? 'yes' : 'unless-ours';
  };
}
