import type { Caller } from '../platform/http/authenticate.ts';
import type { ScimApi } from './change.ts';

/** The tree that is called, of which organization. */
export interface ScimContext {
  readonly tree: ScimApi;
  readonly name: string;
}

/** Where the resources of a tree are. */
export const baseUrlOf = (caller: Caller, { tree, name }: ScimContext): string =>
  `${caller.baseUrl}/api/organizations/${name}/${tree}/v2`;
