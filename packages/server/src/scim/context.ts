import type { Caller } from '../platform/http/authenticate.ts';
import type { ScimApi } from './change.ts';

/** The called API and the name of the organization. */
export interface ScimContext {
  readonly tree: ScimApi;
  readonly name: string;
}

/** Returns the base URL of the resources of an API. */
export const baseUrlOf = (caller: Caller, { tree, name }: ScimContext): string =>
  `${caller.baseUrl}/api/organizations/${name}/${tree}/v2`;
