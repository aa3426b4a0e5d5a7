import {
  ATTRIBUTES,
  type Attribute,
  type ResourceKind,
  SCHEMA_OF,
  STANDARD_NAMES,
  STANDARD_SUB_NAMES,
} from '../resources/attributes.ts';

/** An attribute, or one of its sub-attributes. */
export interface AttributePath {
  readonly attribute: Attribute;
  readonly sub?: Attribute;
}

/** Returns the canonical name of a path: `emails.value`. */
export const canonical = ({ attribute, sub }: AttributePath): string =>
  sub ? `${attribute.name}.${sub.name}` : attribute.name;

/**
 * Resolves an attribute path such as `userName`, `NAME.givenname` or
 * `urn:ietf:params:scim:schemas:core:2.0:User:emails.value`. Returns `not-kept` for an attribute of RFC 7643 or of an
 * extension that is not stored here, undefined for an unknown one.
 */
export function resolvePath(kind: ResourceKind, text: string): AttributePath | 'not-kept' | undefined {
  const path = withoutSchema(kind, text);
  if (path === undefined) return 'not-kept';
  const [name = '', subName, ...more] = path.toLowerCase().split('.');
  if (more.length > 0) return undefined;
  const attribute = findAttribute(ATTRIBUTES[kind], name);
  if (subName === undefined) return attribute ? { attribute } : notKept(STANDARD_NAMES.has(name));
  const sub = findAttribute(attribute?.subAttributes ?? [], subName);
  if (attribute && sub) return { attribute, sub };
  return notKept(STANDARD_NAMES.has(name) && STANDARD_SUB_NAMES.has(subName));
}

export const findAttribute = (attributes: readonly Attribute[], name: string): Attribute | undefined => {
  const wanted = name.toLowerCase();
  return attributes.find((each) => each.name.toLowerCase() === wanted);
};

/** Removes the schema prefix of a path; returns undefined if it names another schema. */
export function withoutSchema(kind: ResourceKind, text: string): string | undefined {
  if (!/^urn:/i.test(text)) return text;
  const prefix = `${SCHEMA_OF[kind]}:`;
  return text.toLowerCase().startsWith(prefix.toLowerCase()) ? text.slice(prefix.length) : undefined;
}

const notKept = (known: boolean) => (known ? 'not-kept' : undefined);
