import type { HubReport } from '@moonbase/client/admin';
import type { whoAmI } from '@moonbase/client/profiles';

const COLUMNS = ['created', 'updated', 'unchanged', 'removed'] as const;

/** Formats the counts of each kind in the document, then the new tokens, which are printed nowhere else. */
export function reportText(report: HubReport): string {
  const rows = Object.entries(report)
    .flatMap(([kind, counts]) => (Array.isArray(counts) ? [] : [{ kind, counts }]))
    .filter(({ counts }) => COLUMNS.some((column) => counts[column] > 0))
    .map(({ kind, counts }) => [kind, ...COLUMNS.map((column) => String(counts[column]))]);
  if (rows.length === 0) return 'The document is empty.\n';
  return `${table([['', ...COLUMNS], ...rows])}${newTokensText(report.newTokens)}`;
}

function newTokensText(tokens: HubReport['newTokens']): string {
  if (tokens.length === 0) return '';
  const rows = tokens.map(({ user, name, token }) => [`  ${user}`, name, token]);
  const title = tokens.length === 1 ? 'A new token, shown this once:' : 'New tokens, shown this once:';
  return `\n${title}\n${rows.map((row) => `${row.join('  ')}\n`).join('')}`;
}

/** Formats the name, the organizations and the kind of token, but never the token itself. */
export function whoAmIText(who: Awaited<ReturnType<typeof whoAmI>>, hubUrl: string): string {
  const { accessToken: token } = who.auth;
  const orgs = who.orgs.map(({ name, roleInOrg }) => `${name} (${roleInOrg})`).join(', ');
  return [
    who.fullname === who.name ? who.name : `${who.name} (${who.fullname})`,
    ...(token ? [`  token          ${token.displayName} (${token.role})`] : []),
    ...(orgs ? [`  organizations  ${orgs}`] : []),
    `  hub            ${hubUrl}`,
    '',
  ].join('\n');
}

/** Removes tokens from an error message, which may quote an argument or a document. */
export const withoutTokens = (text: string): string => text.replace(/hf_[\w-]+/g, 'hf_…');

/** Formats a table with the first column left-aligned and numbers right-aligned. */
function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) => row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))))
    .map((cells) => `${cells.join('  ')}\n`)
    .join('');
}
