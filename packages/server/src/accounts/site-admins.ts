import { createCollector, type Executor, serialize } from '../platform/database/transaction.ts';
import { conflict } from '../platform/http/errors.ts';
import { anyEnabledSiteAdmin } from './store.ts';

/** The id of the lock that serializes transactions that remove a site administrator. */
const SITE_ADMINS = 0x73697465;

const lostSiteAdmins = createCollector<true>(async (tx) => {
  await serialize(tx, SITE_ADMINS);
  if (!(await anyEnabledSiteAdmin(tx))) throw conflict('The hub keeps at least one site administrator who is enabled');
});

/** Makes the transaction fail with 409 at its end if the hub then has no enabled site administrator. */
export const requireASiteAdmin = (tx: Executor): void => lostSiteAdmins.add(tx, [true]);
