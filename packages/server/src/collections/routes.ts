import * as contract from '@moonbase/contract/repositories/collections';
import { answerPage } from '../platform/http/pagination.ts';
import type { Routes } from '../platform/http/route.ts';
import type { Collections } from './service.ts';

const SUCCESS = { success: true } as const;

export function collectionRoutes(routes: Routes, collections: Collections): void {
  const { items, upvotes } = collections;
  routes.add(contract.listCollections, async ({ caller, query }) =>
    answerPage(await collections.list(caller, query), caller.url),
  );
  routes.add(contract.createCollection, ({ caller, body }) => collections.create(caller, body));
  routes.add(contract.getCollection, ({ caller, params }) => collections.get(caller, params));
  routes.add(contract.getCollectionById, ({ caller, params }) =>
    collections.get(caller, { namespace: undefined, slug: params.collectionId }),
  );
  routes.add(contract.updateCollection, async ({ caller, params, body }) => ({
    data: await collections.update(caller, params, body),
  }));
  routes.add(contract.deleteCollection, async ({ caller, params }) => {
    await collections.delete(caller, params);
    return SUCCESS;
  });
  routes.add(contract.addCollectionItem, ({ caller, params, body }) => items.add(caller, params, body.item, body.note));
  routes.add(contract.updateCollectionItem, async ({ caller, params, body }) => {
    await items.update(caller, params, [{ itemId: params.itemId, ...body }]);
    return {};
  });
  routes.add(contract.updateCollectionItems, async ({ caller, params, body }) => {
    const changes = body.map(({ _id, data }) => ({ itemId: _id, ...data }));
    await items.update(caller, params, changes);
    return SUCCESS;
  });
  routes.add(contract.deleteCollectionItem, async ({ caller, params }) => {
    await items.remove(caller, params, params.itemId);
    return SUCCESS;
  });
  routes.add(contract.upvoteCollection, ({ caller, params }) => upvotes.add(caller, params));
  routes.add(contract.withdrawCollectionUpvote, ({ caller, params }) => upvotes.withdraw(caller, params));
}
