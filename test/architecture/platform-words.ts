import { SERVER, withinServer } from './server-layout.ts';
import { productSources, type Rule } from './source-tree.ts';

/** The words of the capabilities, in code, texts and comments: a platform file with one of them knows a slice. */
const WORDS =
  /(?<![\w-])(?:webhooks?|deliver(?:y|ies)|notifications?|discussions?|repositor(?:y|ies)|organizations?|scim|jobs?|inbox(?:es)?|invitations?|memberships?|papers?|audit log|hub document)(?![\w-])/gi;

/** Words of other systems than the hub, by the begin of the path. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  // PostgreSQL has LISTEN and NOTIFY.
  'platform/database/channel.ts': ['notification'],
  // Git calls its object stores repositories.
  'platform/git/': ['repository', 'repositories'],
  // Microsoft calls a tenant an organization.
  'platform/outbound/issuer.ts': ['organizations'],
};

const isOfOthers = (path: string, word: string): boolean =>
  Object.entries(EXCEPTIONS).some(([start, words]) => withinServer(path).startsWith(start) && words.includes(word));

/** The platform knows nothing of the capabilities. */
export const platformWords: Rule = (tree) =>
  productSources(tree)
    .filter(([path]) => path.startsWith(`${SERVER}platform/`))
    .flatMap(([path, text]) =>
      text
        .split('\n')
        .flatMap((line, at) =>
          [...line.matchAll(WORDS)]
            .filter(([word]) => !isOfOthers(path, word.toLowerCase()))
            .map(([word]) => `${path}:${at + 1} names a capability: ${word}; hand in what the platform needs to know`),
        ),
    );
