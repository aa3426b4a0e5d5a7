import { createCollector, type Executor, serialize } from '../platform/database/transaction.ts';
import { conflict } from '../platform/http/errors.ts';
import { anyEnabledSiteAdmin } from './store.ts';

/** Names the lock under which transactions that take a site administrator away follow each other. */
const SITE_ADMINS = 0x73697465;

const lostSiteAdmins = createCollector<true>(async (tx) => {
  await serialize(tx, SITE_ADMINS);
  if (!(await anyEnabledSiteAdmin(tx))) throw conflict('The hub keeps at least one site administrator who is enabled');
});

/** 409 at the end of the transaction where the hub has no enabled site administrator then. */
export const requireASiteAdmin = (tx: Executor): void => lostSiteAdmins.add(tx, [true]);
