import type { TablePlan } from '../platform/backup/table-plan.ts';
import { bigint, integer, type RowOf, text } from '../platform/database/columns.ts';
import type { SealedColumns } from '../platform/keys/sealed-store.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    space_environment: EnvironmentRow;
    space_volumes: SpaceVolumeRow;
  }
}

/** The backup plan of these tables; they follow those that they reference. */
export const SPACES_BACKUP = { space_environment: 'kept', space_volumes: 'kept' } satisfies TablePlan;

export const SPACES_SEALED: SealedColumns = { table: 'space_environment', columns: ['sealed_value'] };

export const ENVIRONMENT = {
  id: text(),
  space_id: text(),
  key: text(),
  /** Null for a secret. */
  value: text<string | null>(),
  /** Null for a variable. */
  sealed_value: text<string | null>(),
  description: text<string | null>(),
  /** When the value was last set. */
  updated_at: bigint(),
};

export type EnvironmentRow = RowOf<typeof ENVIRONMENT>;

export const SPACE_VOLUME = {
  id: text(),
  space_id: text(),
  /** The bucket or repository. */
  source_id: text(),
  position: integer(),
  mount_path: text(),
  revision: text<string | null>(),
  read_only: integer(),
  path: text<string | null>(),
};

export type SpaceVolumeRow = RowOf<typeof SPACE_VOLUME>;
