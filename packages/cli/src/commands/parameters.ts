import { whoAmI } from '@moonbase/client/profiles';
import type { Hub } from '@moonbase/client/request';
import { argument, choice, flag, text } from '../program/parameter.ts';

// What several groups take.
export const organization = argument('its name');
export const repo = argument('namespace/name');
export const role = argument('admin, write, contributor, read, no_access, or a role of the organization');
export const yes = flag('do not ask', { short: 'y' });
export const namespace = text('name', 'a user or an organization (default: yourself)');
export const repoType = choice(['model', 'dataset', 'space', 'bucket', 'kernel'], 'its type (default: model)');
export const discussedType = choice(['model', 'dataset', 'space', 'kernel'], 'type of the repository (default: model)');

/** The given namespace, or the caller's own. */
export const namespaceOr = async (hub: Hub, given: string | undefined): Promise<string> =>
  given ?? (await whoAmI(hub)).name;

/** A time as the tables show it: to the minute, in UTC. */
export const when = (time: string | undefined): string | undefined => time?.slice(0, 16).replace('T', ' ');
