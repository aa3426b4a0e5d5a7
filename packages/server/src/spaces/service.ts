import type { AuditLog } from '../audit-log/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Ids } from '../platform/ids.ts';
import type { SecretBox } from '../platform/secrets.ts';
import { createSpaceRecords } from './change.ts';
import { createEnvironment } from './environment.ts';
import { createSpaceSetup } from './new-space.ts';
import { createSpaceStates } from './runtime.ts';
import { createSpaceVolumes } from './volumes.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
  readonly audit: AuditLog;
  readonly secretBox: SecretBox;
}

export type Spaces = ReturnType<typeof createSpaces>;

/** Creates the verbs on what Spaces have beyond their files. */
export function createSpaces(given: Dependencies) {
  const records = createSpaceRecords(given);
  const volumes = createSpaceVolumes({ ...given, records });
  return {
    environment: createEnvironment({ ...given, records }),
    volumes,
    states: createSpaceStates(given),
    /** What `repositories` does for new Spaces. */
    setup: createSpaceSetup({ ...given, records, volumes }),
  };
}
