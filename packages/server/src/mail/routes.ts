import * as contract from '@moonbase/contract/notifications/mail';
import { rawAnswer } from '../platform/http/answer.ts';
import type { Routes } from '../platform/http/route.ts';
import { askPage, donePage, PAGE_HEADERS } from './page.ts';
import type { Unsubscribing } from './unsubscribe.ts';

export function mailRoutes(routes: Routes, unsubscribing: Unsubscribing): void {
  const page = (html: string) => rawAnswer(html, { headers: PAGE_HEADERS });
  routes.add(contract.getUnsubscribePage, ({ params }) => page(askPage(unsubscribing.kindOf(params.token))));
  routes.add(
    contract.unsubscribe,
    async ({ params }) => page(donePage(await unsubscribing.unsubscribe(params.token))),
    {
      form: true,
    },
  );
}
