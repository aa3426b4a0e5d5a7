import * as contract from '@moonbase/contract/admin';
import { answerPage } from '../platform/http/pagination.ts';
import type { Routes } from '../platform/http/route.ts';
import type { Admin } from './service.ts';

const BODY_LIMIT = 64 * 1024 * 1024;

export function adminRoutes(routes: Routes, admin: Admin): void {
  routes.add(contract.applyHub, ({ caller, body }) => admin.apply(caller, body), { bodyLimit: BODY_LIMIT });
  routes.add(contract.listUsers, async ({ caller, query }) => answerPage(await admin.users(query), caller.url));
}
