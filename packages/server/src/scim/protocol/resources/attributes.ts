import { GROUP_SCHEMA, USER_SCHEMA } from '@moonbase/contract/scim/shapes';

export type ResourceKind = 'User' | 'Group';

/** The characteristics of an attribute (RFC 7643, 7), with additions of this service. */
export interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'dateTime' | 'reference' | 'complex';
  readonly description: string;
  readonly multiValued: boolean;
  readonly required: boolean;
  readonly caseExact: boolean;
  readonly mutability: 'readOnly' | 'readWrite' | 'immutable';
  readonly returned: 'always' | 'default';
  readonly uniqueness: 'none' | 'server';
  readonly referenceTypes?: readonly ResourceKind[];
  readonly subAttributes?: readonly Attribute[];
  /** Accepted without being part of the schema: attributes common to all resources, and types of e-mail addresses. */
  readonly unlisted?: boolean;
}

const PLAIN = {
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
} as const;

const define = (name: string, description: string, rest: Partial<Attribute> = {}): Attribute => ({
  ...PLAIN,
  name,
  description,
  ...rest,
});

const COMMON: readonly Attribute[] = [
  define('schemas', 'The schemas of the resource.', {
    type: 'reference',
    multiValued: true,
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    unlisted: true,
  }),
  define('id', 'Identifier of the resource, assigned by the hub.', {
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    uniqueness: 'server',
    unlisted: true,
  }),
  define('externalId', 'Identifier of the resource at the identity provider.', { caseExact: true, unlisted: true }),
  define('meta', 'About the resource itself.', {
    type: 'complex',
    mutability: 'readOnly',
    unlisted: true,
    subAttributes: [
      define('resourceType', 'User or Group.', { caseExact: true, mutability: 'readOnly' }),
      define('created', 'When it was created.', { type: 'dateTime', mutability: 'readOnly' }),
      define('lastModified', 'When it last changed.', { type: 'dateTime', mutability: 'readOnly' }),
      define('location', 'Its URL.', { type: 'reference', caseExact: true, mutability: 'readOnly' }),
      define('version', 'Its entity tag.', { caseExact: true, mutability: 'readOnly' }),
    ],
  }),
];

const USER: readonly Attribute[] = [
  define('userName', 'Name by which the identity provider knows the user; stored as sent.', {
    required: true,
    uniqueness: 'server',
  }),
  define('name', 'The parts of the name of the user.', {
    type: 'complex',
    subAttributes: [
      define('formatted', 'The full name, as it should be shown.'),
      define('familyName', 'Family name, or last name.'),
      define('givenName', 'Given name, or first name.'),
    ],
  }),
  define('displayName', 'Name to show to others.'),
  define('emails', 'The e-mail address of the user; only one is allowed.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      define('value', 'The address.'),
      define('primary', 'Whether this is the preferred address.', { type: 'boolean' }),
      define('type', 'Always work.', { unlisted: true }),
    ],
  }),
  // `active` always has a value and thus cannot be removed; a POST without it means true.
  define('active', 'Whether the user is a member of the organization now.', { type: 'boolean', required: true }),
];

const GROUP: readonly Attribute[] = [
  define('displayName', 'Name of the group.', { required: true, uniqueness: 'server' }),
  define('members', 'The users in the group.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      define('value', 'Identifier of a user.', { caseExact: true, mutability: 'immutable', required: true }),
      define('$ref', 'URL of that user.', {
        type: 'reference',
        caseExact: true,
        mutability: 'immutable',
        referenceTypes: ['User'],
      }),
    ],
  }),
];

/** The attributes of users and groups, from which schemas, filters, patches and projections are derived. */
export const ATTRIBUTES: Readonly<Record<ResourceKind, readonly Attribute[]>> = {
  User: [...COMMON, ...USER],
  Group: [...COMMON, ...GROUP],
};

export const SCHEMA_OF: { readonly User: typeof USER_SCHEMA; readonly Group: typeof GROUP_SCHEMA } = {
  User: USER_SCHEMA,
  Group: GROUP_SCHEMA,
};

const STANDARD = `active addresses displayName emails entitlements groups ims locale members name nickName password
  phoneNumbers photos preferredLanguage profileUrl roles timezone title userName userType x509Certificates`;
const STANDARD_SUBS = `$ref country display formatted honorificPrefix honorificSuffix locality middleName postalCode primary
  region streetAddress type value`;
const wordsOf = (text: string) => new Set(text.toLowerCase().split(/\s+/));

/** Attributes of RFC 7643 that are accepted but not stored. */
export const STANDARD_NAMES = wordsOf(STANDARD);
export const STANDARD_SUB_NAMES = wordsOf(STANDARD_SUBS);
