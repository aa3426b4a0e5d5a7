import * as contract from '@moonbase/contract/repositories/mirrors';
import { answerPage } from '../platform/http/pagination.ts';
import type { Routes } from '../platform/http/route.ts';
import { nameInPath } from '../repositories/index.ts';
import type { Mirrors } from './assembly.ts';

export function mirrorRoutes(routes: Routes, mirrors: Mirrors['services']): void {
  routes.add(contract.getMirror, ({ caller, params }) => mirrors.get(caller, nameInPath(params)));
  routes.add(contract.createMirror, ({ caller, params, body }) => mirrors.create(caller, nameInPath(params), body));
  routes.add(contract.updateMirror, ({ caller, params, body }) => mirrors.update(caller, nameInPath(params), body));
  routes.add(contract.deleteMirror, async ({ caller, params }) => {
    await mirrors.remove(caller, nameInPath(params));
    return {};
  });
  routes.add(contract.syncMirror, ({ caller, params }) => mirrors.syncNow(caller, nameInPath(params)));
  routes.add(contract.listMirrors, async ({ caller, query }) => answerPage(await mirrors.list(query), caller.url));
  routes.add(contract.removeMirror, async ({ caller, params }) => {
    await mirrors.removeAny(caller, params.id);
    return {};
  });
}
