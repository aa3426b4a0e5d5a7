import { linkHash, NO_HASH, sealedText } from '@moonbase/server/audit-chain';
import type { BenchHub } from './hub.ts';

const TYPES = ['repo.create', 'repo.update_settings', 'repo.move', 'repo.delete', 'org.change_role'];
const ROWS_PER_STATEMENT = 500;

const literal = (value: string | number): string =>
  typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;

/** Fills an audit log with events of three authors, chained as the hub chains them. */
export async function fillAuditLog(hub: BenchHub, orgId: string, authorId: string, count: number): Promise<void> {
  const start = Date.now() - count * 1000;
  let previous = NO_HASH;
  for (let from = 0; from < count; from += ROWS_PER_STATEMENT) {
    const rows = Array.from({ length: Math.min(ROWS_PER_STATEMENT, count - from) }, (_, offset) => {
      const at = from + offset;
      const createdAt = start + at * 1000;
      const user = ['admin', 'ada', 'bob'][at % 3] ?? '';
      const event = {
        _id: `${Math.floor(createdAt / 1000).toString(16)}${at.toString(16).padStart(16, '0')}`,
        author: { _id: authorId, user },
        createdAt: new Date(createdAt).toISOString(),
        data: { repo: { _id: at.toString(16).padStart(24, '0'), type: 'model', name: `acme/r${at}` }, private: true },
        ip: `10.0.${at % 7}.${at % 250}`,
        message: `Created the model acme/r${at}`,
        token: { id: 'f'.repeat(24) },
        type: at % 1000 === 0 ? 'org.update_settings' : (TYPES[at % TYPES.length] ?? ''),
      };
      const body = sealedText(event);
      const hash = linkHash(previous, body);
      const context = JSON.stringify({ userAgent: 'huggingface_hub/1.0', token: { role: 'write', last4: 'abcd' } });
      const row = [orgId, at + 1, event._id, createdAt, event.type, authorId, user, event.ip, event.token.id];
      const values = [...row, body, context, previous, hash].map(literal).join(', ');
      previous = hash;
      return `(${values})`;
    });
    await hub.side.run(`insert into audit_events (org_id, seq, id, created_at, type, author_id, author_key, ip, token_id,
      body, context, prev_hash, hash) values ${rows.join(', ')}`);
  }
  await hub.side.run(`insert into audit_chains (org_id, seq, hash) values ('${orgId}', ${count}, '${previous}')`);
}
