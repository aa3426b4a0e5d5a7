import * as deadLetterContract from '@moonbase/contract/admin/dead-letters';
import * as contract from '@moonbase/contract/admin/hub-document';
import * as lists from '@moonbase/contract/admin/lists';
import { getRetention } from '@moonbase/contract/admin/retention';
import { listHubSettings } from '@moonbase/contract/admin/settings';
import { getHubStatus } from '@moonbase/contract/admin/status';
import * as storage from '@moonbase/contract/admin/storage';
import type { CollectStorage } from '../content/index.ts';
import { answerPage } from '../platform/http/pagination.ts';
import type { Routes } from '../platform/http/route.ts';
import type { LargeBody } from '../platform/http/server/server.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { AdminLists } from './lists.ts';
import type { CreateUser } from './new-user.ts';
import type { ReadRetention } from './retention.ts';
import type { Admin } from './service.ts';
import type { ListSettings } from './settings.ts';
import type { ReadHubStatus } from './status.ts';

/** Room for about 60,000 users with a token each; checking a larger document would block other requests too long. */
export const HUB_DOCUMENT: LargeBody = { name: 'a hub document', mebibytes: 64, maxValues: 500_000 };

interface Services {
  readonly admin: Admin;
  readonly adminLists: AdminLists;
  readonly createUser: CreateUser;
  readonly deadLetters: DeadLetters;
  readonly readStatus: ReadHubStatus;
  readonly readRetention: ReadRetention;
  readonly listSettings: ListSettings;
  readonly collectStorage: CollectStorage;
}

export function adminRoutes(
  routes: Routes,
  { admin, adminLists, createUser, deadLetters, readStatus, readRetention, listSettings, collectStorage }: Services,
): void {
  routes.add(contract.applyHub, ({ caller, body }) => admin.apply(caller, body), {
    bodyLimit: HUB_DOCUMENT.mebibytes * 1024 * 1024,
  });
  routes.add(lists.listUsers, async ({ caller, query }) =>
    answerPage(await adminLists.users(caller, query), caller.url),
  );
  routes.add(lists.createUser, async ({ caller, body }) => adminLists.user(caller, await createUser(caller, body)));
  routes.add(lists.getUserEntry, ({ caller, params }) => adminLists.user(caller, params.username));
  routes.add(lists.listOrganizations, async ({ caller, query }) =>
    answerPage(await adminLists.organizations(caller, query), caller.url),
  );
  routes.add(deadLetterContract.listDeadLetters, async ({ caller, query }) =>
    answerPage(await deadLetters.list(query), caller.url),
  );
  routes.add(deadLetterContract.retryDeadLetter, ({ caller, params }) => deadLetters.retry(caller, params.id));
  routes.add(deadLetterContract.discardDeadLetter, ({ caller, params }) => deadLetters.discard(caller, params.id));
  routes.add(getHubStatus, () => readStatus());
  routes.add(getRetention, () => readRetention());
  routes.add(listHubSettings, async () => listSettings());
  routes.add(storage.collectStorage, ({ caller, body }) => collectStorage(caller, body));
}
