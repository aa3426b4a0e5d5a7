import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import Libsql from 'libsql';
import { NEVER } from '../../packages/server/src/platform/queue/due-store.ts';
import type { World } from './world.ts';

/** Inserts a task that the hub has set aside as a dead letter, with an error that looks like HTML. */
export function setAside({ folder }: World, kind: string): void {
  const database = new Libsql(join(folder, 'moonbase.db'));
  const id = randomBytes(12).toString('hex');
  const data = '{"webhookId":"none"}';
  database.exec(`pragma busy_timeout = 20000;
    insert into tasks (id, key, kind, data, due_at, attempts, created_at)
    values ('${id}', '${id}', '${kind}', '${data}', ${NEVER}, 5, 0);
    insert into dead_letters (id, queue, item_id, kind, error, failures, deaths, created_at, set_aside_at)
    values ('${id}', 'tasks', '${id}', '${kind}', 'Error: <b>no</b>', 5, 0, 0, 0)`);
  database.close();
}
