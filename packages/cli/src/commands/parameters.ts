import { whoAmI } from '@moonbase/client/profiles';
import type { Hub } from '@moonbase/client/request';
import { argument, choice, flag, text, texts } from '../program/parameter.ts';

// The parameters that several groups share.
export const organization = argument('name of the organization');
export const repo = argument('namespace/name');
export const role = argument('admin, write, contributor, read, no_access, or a role of the organization');
export const yes = flag('do not ask for confirmation', { short: 'y' });
export const namespace = text('name', 'a user or an organization (default: yourself)');
export const repoType = choice(
  ['model', 'dataset', 'space', 'bucket', 'kernel'],
  'type of the repository (default: model)',
);
export const revision = text('revision', 'branch, tag or commit (default: main)');
export const branch = text('branch', 'branch to commit to (default: main)');
export const commitMessage = text('text', 'first line of the commit message', { short: 'm' });
export const createPr = flag('open a pull request instead of committing to the branch');
export const include = texts('pattern', 'only files whose path matches, such as "*.json"');
export const exclude = texts('pattern', 'no files whose path matches');
export const discussedType = choice(['model', 'dataset', 'space', 'kernel'], 'type of the repository (default: model)');

/** Returns the given namespace, or the caller's own. */
export const namespaceOr = async (hub: Hub, given: string | undefined): Promise<string> =>
  given ?? (await whoAmI(hub)).name;

/** Formats a time for tables: to the minute, in UTC. */
export const when = (time: string | undefined): string | undefined => time?.slice(0, 16).replace('T', ' ');
