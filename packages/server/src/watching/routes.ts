import * as contract from '@moonbase/contract/notifications/watching';
import { answerPage } from '../platform/http/pagination.ts';
import type { Routes } from '../platform/http/route.ts';
import type { Watching } from './service.ts';

const SUCCESS = { success: true } as const;

export function watchingRoutes(routes: Routes, watching: Watching): void {
  routes.add(contract.updateWatched, async ({ caller, body }) => {
    await watching.changeWatched(caller, body);
    return SUCCESS;
  });
  routes.add(contract.listWatched, async ({ caller, query }) =>
    answerPage(await watching.listWatched(caller, query), caller.url),
  );
  routes.add(contract.updateMuted, async ({ caller, body }) => {
    await watching.changeMuted(caller, body);
    return SUCCESS;
  });
  routes.add(contract.listMuted, async ({ caller, query }) =>
    answerPage(await watching.listMuted(caller, query), caller.url),
  );
}
