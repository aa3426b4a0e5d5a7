import { UsageError } from './failure.ts';

/** What `model:acme/bert` or `org:acme` names; what the types are, the hub knows. */
export function parseNamed(option: string, text: string): { type: string; name: string } {
  const [, type, name] = /^([a-z]+):(\S+)$/.exec(text) ?? [];
  if (type === undefined || name === undefined)
    throw new UsageError(`${option} must be a type and a name, as in model:acme/bert or org:acme, not ${text}`);
  return { type, name };
}
