import { randomBytes } from 'node:crypto';
import type { LinkPurpose } from '@moonbase/contract/sign-in/links';
import type { Clock } from '../../platform/clock.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { sha256 } from '../../platform/secrets.ts';
import { insertLink, spendLinksOf, spendSignUpLinks } from './link-store.ts';

const MINUTE_MS = 60_000;
const LIFETIME_MS: Readonly<Record<LinkPurpose, number>> = {
  setup: 24 * 60 * MINUTE_MS,
  invite: 7 * 24 * 60 * MINUTE_MS,
  reset: 30 * MINUTE_MS,
  email: 24 * 60 * MINUTE_MS,
  'sign-up': 24 * 60 * MINUTE_MS,
};

interface LinkOfUser {
  readonly userId: string;
  readonly purpose: Exclude<LinkPurpose, 'sign-up'>;
  /** The address that the link confirms. */
  readonly email?: string;
}

interface SignUpLink {
  readonly purpose: 'sign-up';
  /** The address of the account that the link creates, in lower case. */
  readonly email: string;
}

type NewLink = LinkOfUser | SignUpLink;

export type LinkMaking = ReturnType<typeof createLinkMaking>;

/** Creates links; a new link invalidates the earlier links of the user, or of the address, for the same purpose. */
export function createLinkMaking({ clock }: { readonly clock: Clock }) {
  async function insert(tx: Executor, link: NewLink, code: string, nonce: string | null) {
    const now = clock.now();
    const { purpose, email = null } = link;
    const userId = link.purpose === 'sign-up' ? null : link.userId;
    if (link.purpose === 'sign-up') await spendSignUpLinks(tx, link.email, now);
    else await spendLinksOf(tx, link.userId, [purpose], now);
    const row = {
      ...{ hash: sha256(code), purpose, user_id: userId, nonce, email },
      ...{ created_at: now, expires_at: now + LIFETIME_MS[purpose], used_at: null },
    };
    await insertLink(tx, row);
    return row;
  }

  return {
    /** Creates a link for the caller to pass on. Returns its code, which is not stored. */
    async createRandom(tx: Executor, link: LinkOfUser): Promise<{ readonly code: string; readonly expiresAt: number }> {
      const code = randomBytes(32).toString('base64url');
      const { expires_at: expiresAt } = await insert(tx, link, code, null);
      return { code, expiresAt };
    },

    /** Creates a link whose code can be derived again from a nonce. Returns the hash of the code. */
    async createDerived(
      tx: Executor,
      link: NewLink,
      { code, nonce }: { readonly code: string; readonly nonce: string },
    ): Promise<string> {
      return (await insert(tx, link, code, nonce)).hash;
    },
  };
}

/** Returns the URL of the console page that opens a link. */
export const linkUrl = (hubUrl: string, code: string): string => `${hubUrl}/join/${code}`;
