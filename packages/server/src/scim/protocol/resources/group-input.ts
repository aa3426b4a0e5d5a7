import { scimError } from '../errors.ts';
import { memberIds } from '../patch/members.ts';
import { isObject, propertyOf, textOf } from './json.ts';

/** A group as a provider describes it; `members` are distinct user ids. */
export interface GroupInput {
  readonly displayName: string;
  readonly externalId: string | null;
  readonly members: readonly string[];
}

/** Reads the body of POST and PUT; Entra sends a schema of its own and no members. */
export function readGroup(body: unknown): GroupInput {
  if (!isObject(body)) throw scimError(400, 'The body must be an object', 'invalidSyntax');
  const displayName = textOf(propertyOf(body, 'displayName'), 'displayName');
  if (displayName === undefined) throw scimError(400, 'displayName must have a value', 'invalidValue');
  return {
    displayName,
    externalId: textOf(propertyOf(body, 'externalId'), 'externalId') ?? null,
    members: memberIds(propertyOf(body, 'members')),
  };
}
