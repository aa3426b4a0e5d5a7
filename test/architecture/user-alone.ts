import { codeOf } from './imports.ts';
import { SERVER, unitOf, withinServer } from './server-layout.ts';
import { productSources, type Rule } from './source-tree.ts';

/**
 * The functions of `access` about a user alone, whatever the token. Where content leaves the hub for a caller, code
 * asks about the principal: `roleOf`, `requireRepo`, `readableBy`, `requireSources`.
 */
const USER_ALONE = ['readable', 'entitled', 'granted', 'readersOf', 'roleOfUser', 'jobRole'];

/**
 * The files that work with the rights of a user when nobody asks (deliveries, notifications, mails, clean-up), and then
 * those that check the token in another way, each with a comment.
 */
const BY_RIGHT_OF_THE_USER = new Set([
  'mail/contents/access-store.ts',
  'mail/contents/thread-store.ts',
  'notifications/clean-up/suspended-store.ts',
  'notifications/fan-out/participant-store.ts',
  'notifications/fan-out/recipient-store.ts',
  'notifications/clean-up/access-store.ts',
  'notifications/fan-out/notification-store.ts',
  'watching/store.ts',
  'webhooks/delivery/delivery-store.ts',
  'webhooks/subscriptions/binding-store.ts',
  'webhooks/matching/candidate-store.ts',
  // The address of the file was signed for a principal.
  'content/large-files/receiving.ts',
  // These files check the token next to the role of the user.
  'jobs/runs/source.ts',
  'jobs/execution/authority.ts',
  // The principal is checked before the keys of the page are read.
  'notifications/inbox/page-store.ts',
]);

const imports = /\bimport\s+(?<what>\{[^}]*\}|\*\s*as\s+[\w$]+)\s*from\s*['"][^'"\n]*\baccess\/index\.ts['"]/g;

/** Slices ask `access` about the principal, except for a few files that act for users when nobody asks. */
export const askedAboutPrincipals: Rule = (tree) =>
  productSources(tree)
    .filter(([path]) => path.startsWith(SERVER) && unitOf(path) !== 'access')
    .flatMap(([path, text]) => {
      if (BY_RIGHT_OF_THE_USER.has(withinServer(path))) return [];
      return [...codeOf(text).matchAll(imports)].flatMap(({ groups }) => {
        const what = groups?.what ?? '';
        if (what.startsWith('*')) return [`${path} imports all of access: name what it asks`];
        return namesIn(what)
          .filter((name) => USER_ALONE.includes(name))
          .map((name) => `${path} asks ${name} of access, which is about the user alone: ask about the principal`);
      });
    });

/** Returns the names that are imported, whatever their aliases. */
const namesIn = (braces: string): string[] =>
  braces
    .slice(1, -1)
    .split(',')
    .map(
      (part) =>
        part
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s+as\s+/)[0] ?? '',
    );

/**
 * Matches `siteAdmin` of a user; elsewhere code asks `isSiteAdmin` of access, since the token may have fewer rights.
 */
const SITE_ADMIN = /\bsiteAdmin\b/;

/** Slices ask `access` whether a principal acts as a site administrator, not whether its user is one. */
export const askedAboutSiteAdmins: Rule = (tree) =>
  productSources(tree)
    .filter(
      ([path]) =>
        path.startsWith(SERVER) && !['access', 'accounts', 'sign-in', 'oauth', 'platform'].includes(unitOf(path)),
    )
    .filter(([, text]) => SITE_ADMIN.test(codeOf(text)))
    .map(([path]) => `${path} asks whether the user is a site administrator: ask isSiteAdmin of access`);
