import {
  ATTRIBUTES,
  type Attribute,
  type ResourceKind,
  SCHEMA_OF,
  STANDARD_NAMES,
  STANDARD_SUB_NAMES,
} from '../resources/attributes.ts';

/** An attribute by its name, or one of its sub-attributes. */
export interface AttributePath {
  readonly attribute: Attribute;
  readonly sub?: Attribute;
}

/** The name as this service writes it: `emails.value`. */
export const canonical = ({ attribute, sub }: AttributePath): string =>
  sub ? `${attribute.name}.${sub.name}` : attribute.name;

/**
 * What a path names: `userName`, `NAME.givenname`, `urn:ietf:params:scim:schemas:core:2.0:User:emails.value`.
 * `not-kept`: an attribute of RFC 7643 or of an extension that has no place here; undefined: none at all.
 */
export function resolvePath(kind: ResourceKind, text: string): AttributePath | 'not-kept' | undefined {
  const path = withoutSchema(kind, text);
  if (path === undefined) return 'not-kept';
  const [name = '', subName, ...more] = path.toLowerCase().split('.');
  if (more.length > 0) return undefined;
  const attribute = named(ATTRIBUTES[kind], name);
  if (subName === undefined) return attribute ? { attribute } : notKept(STANDARD_NAMES.has(name));
  const sub = named(attribute?.subAttributes ?? [], subName);
  if (attribute && sub) return { attribute, sub };
  return notKept(STANDARD_NAMES.has(name) && STANDARD_SUB_NAMES.has(subName));
}

export const named = (attributes: readonly Attribute[], name: string): Attribute | undefined => {
  const wanted = name.toLowerCase();
  return attributes.find((each) => each.name.toLowerCase() === wanted);
};

/** The path within the schema of this kind; undefined where it belongs to another one. */
export function withoutSchema(kind: ResourceKind, text: string): string | undefined {
  if (!/^urn:/i.test(text)) return text;
  const prefix = `${SCHEMA_OF[kind]}:`;
  return text.toLowerCase().startsWith(prefix.toLowerCase()) ? text.slice(prefix.length) : undefined;
}

const notKept = (known: boolean) => (known ? 'not-kept' : undefined);
