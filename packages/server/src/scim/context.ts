import type { Caller } from '../platform/http/authenticate.ts';
import type { Tree } from './change.ts';

/** The tree that is called, of which organization. */
export interface At {
  readonly tree: Tree;
  readonly name: string;
}

/** Where the resources of a tree are. */
export const baseUrlOf = (caller: Caller, { tree, name }: At): string =>
  `${caller.baseUrl}/api/organizations/${name}/${tree}/v2`;
