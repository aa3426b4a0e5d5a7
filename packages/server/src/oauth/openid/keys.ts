import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Ids } from '../../platform/ids.ts';
import type { SealedAt, SecretBox } from '../../platform/secrets.ts';
import { parseJson } from '../../platform/stored-form.ts';
import { insertKey, signingKeys } from './key-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long a key signs. */
const KEY_ROTATION_MS = 90 * DAY_MS;
/** How long a key is published: a week longer than it signs. */
export const KEY_RETENTION_MS = KEY_ROTATION_MS + 7 * DAY_MS;

export const ALGORITHM = 'RS256';

const sealedAt = (id: string): SealedAt => ({ table: 'signing_keys', column: 'private_key', id });

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secretBox: SecretBox;
}

export type Keys = ReturnType<typeof createKeys>;

/** The keys that sign id tokens. A key is generated when one is needed and the newest is missing or too old. */
export function createKeys({ database, clock, ids, secretBox }: Dependencies) {
  const usableKeys = async () => {
    const rows = await signingKeys(database.read);
    return rows[0] && clock.now() - rows[0].created_at < KEY_ROTATION_MS ? rows : undefined;
  };

  /** Returns the keys, newest first; the first may sign. */
  async function current() {
    const found = await usableKeys();
    if (found) return found;
    const { privateKey, publicKey } = await generateKeyPair(ALGORITHM, { extractable: true });
    const [privateJwk, publicJwk] = await Promise.all([exportJWK(privateKey), exportJWK(publicKey)]);
    const id = ids();
    const published: JWK = { ...publicJwk, kid: id, use: 'sig', alg: ALGORITHM };
    // If two processes generate a key at once, both keys are published and the newest signs.
    await database.transaction((tx) =>
      insertKey(tx, {
        id,
        private_key: secretBox.seal(JSON.stringify(privateJwk), sealedAt(id)),
        public_key: JSON.stringify(published),
        created_at: clock.now(),
      }),
    );
    return signingKeys(database.read);
  }

  return {
    /** Returns the published public keys. */
    published: async () => ({
      keys: (await current()).map(({ public_key: key }) => parseJson<Record<string, unknown>>(key)),
    }),

    /** Returns the private key that currently signs. */
    async signing(): Promise<{ readonly kid: string; readonly jwk: JWK }> {
      const [row] = await current();
      if (!row) throw new Error('The key that was just created is gone');
      return { kid: row.id, jwk: parseJson<JWK>(secretBox.open(row.private_key, sealedAt(row.id))) };
    },
  };
}
