import type { Method } from '@moonbase/contract/route';

/** One request of a provider and the expected answer; `{name}` in texts stands for an earlier value. */
export interface Step {
  /** The number of the case among the collected wire forms, or a description. */
  readonly says: string;
  readonly send: `${Method} ${string}`;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** The fields that the answer must have. */
  readonly has?: object;
  /** Keys that the answer must not have. */
  readonly lacks?: readonly string[];
  /** Keeps a value of the answer by its dotted path. */
  readonly keep?: Readonly<Record<string, string>>;
}

export interface Conversation {
  readonly provider: string;
  readonly steps: readonly Step[];
}

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

export const empty = { schemas: [LIST], totalResults: 0, Resources: [] };
export const patch = (...Operations: object[]) => ({ schemas: [PATCH_OP], Operations });
export const query = (filter: string) => encodeURIComponent(filter).replaceAll('%7B', '{').replaceAll('%7D', '}');
