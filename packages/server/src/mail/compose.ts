import type { ParsedText, Texts } from '../comments/index.ts';
import type { MailMessage } from '../platform/mail/transport.ts';
import { plainText } from '../platform/markdown/plain-text.ts';
import type { MailContents } from './contents.ts';
import { isOptional, KINDS, oneLine, shortened, subjectLine } from './policy.ts';

interface Envelope {
  readonly id: string;
  readonly kind: string;
  /** Domain of the sender's address: where message ids are unique. */
  readonly domain: string;
  readonly hubUrl: string;
  readonly now: number;
  /** Where this kind is turned off; undefined for what cannot be. */
  readonly unsubscribeUrl: string | undefined;
}

/** A mail from what it says: two parts of the same text, and the headers that sort it. */
export async function composeMail(contents: MailContents, envelope: Envelope, texts: Texts): Promise<MailMessage> {
  const { id, domain, now } = envelope;
  const { subject, blocks, footer } = 'notice' in contents ? ofNotice(contents.notice) : ofThread(contents, envelope);
  const paragraphs: string[] = [];
  for (const block of blocks) paragraphs.push(await asHtml(block, texts));
  const end = [...footer, ...leaving(envelope)];
  return {
    to: contents.to,
    subject: oneLine(subject),
    date: now,
    messageId: `<${id}@${domain}>`,
    headers: { ...AUTOMATIC, ...threadHeaders(contents, envelope), ...unsubscribeHeaders(envelope) },
    text: [...blocks.map(asText), ['-- ', ...end.map(({ text, url }) => `${text}${url}`)].join('\n')].join('\n\n'),
    html: page(paragraphs.join('\n'), end.map(({ text, url }) => `${escaped(text)}${anchor(url)}`).join('<br>')),
  };
}

interface Block {
  readonly author?: string;
  readonly text: ParsedText;
}

/** A line below the text: words and an address. */
interface Line {
  readonly text: string;
  readonly url: string;
}

/** RFC 3834 §5, and what Exchange looks at: nobody is to answer this automatically. */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/** More of one comment nobody reads in a mail, and mail servers take no message of any length. */
const MAX_LENGTH = 10_000;

/** Characters of HTML: an ordinary text of that length has less. */
const MAX_HTML = 5 * MAX_LENGTH;

const GONE = 'Somebody who is gone';

const ofNotice = ({ subject, body }: Extract<MailContents, { notice: unknown }>['notice']) => ({
  subject,
  blocks: [{ text: { raw: body } }],
  footer: [] as Line[],
});

function ofThread({ thread, comments, more }: Extract<MailContents, { thread: unknown }>, { kind }: Envelope) {
  const [first] = comments;
  const reason = isOptional(kind) ? `You get this because ${KINDS[kind].reason}. ` : '';
  return {
    subject: subjectLine(`[${thread.place}] `, thread.title, thread.number === undefined ? '' : ` (${thread.number})`),
    blocks: comments.map(({ author = GONE, text }): Block => ({ author, text })),
    footer: [
      ...(more ? [{ text: 'There is more than fits into a mail.', url: '' }] : []),
      { text: `${reason}Read and answer it: `, url: `${thread.url}${first ? `#${first.id}` : ''}` },
    ],
  };
}

const leaving = ({ unsubscribeUrl: url }: Envelope): Line[] =>
  url === undefined ? [] : [{ text: 'No more mails of this kind: ', url }];

/** Every mail of a thread answers the same message, which need not exist: mail programs put them together. */
function threadHeaders(contents: MailContents, { domain, hubUrl }: Envelope): Record<string, string> {
  if ('notice' in contents) return {};
  const { id, place } = contents.thread;
  const thread = `<thread.${id}@${domain}>`;
  return { 'In-Reply-To': thread, References: thread, 'List-Id': listId(place, hubUrl) };
}

/** RFC 2919: `acme/bert <bert.acme.hub.example.com>`. */
function listId(place: string, hubUrl: string): string {
  const labels = place
    .split('/')
    .reverse()
    .map((label) => label.replace(/[^a-zA-Z0-9-]+/g, '-'));
  return `${oneLine(place)} <${[...labels, new URL(hubUrl).hostname].join('.')}>`;
}

/** RFC 8058: a mail program may send this without asking further. */
const unsubscribeHeaders = ({ unsubscribeUrl: url }: Envelope): Record<string, string> =>
  url === undefined ? {} : { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

const beginningOf = ({ raw }: ParsedText): string => shortened(raw, MAX_LENGTH, '\n\n…');

const asText = ({ author, text }: Block): string =>
  author === undefined ? beginningOf(text) : `${author} wrote:\n\n${beginningOf(text)}`;

async function asHtml({ author, text }: Block, texts: Texts): Promise<string> {
  const by = author === undefined ? '' : `<p><strong>${escaped(author)}</strong> wrote:</p>\n`;
  return `${by}<div>${await htmlOf(text, texts)}</div>\n<hr>`;
}

/** What was made of the text when it was written; of a long one the beginning, as plain text. */
async function htmlOf(text: ParsedText, texts: Texts): Promise<string> {
  if (text.raw.length > MAX_LENGTH) return plainText(beginningOf(text)).html;
  const { html } = await texts.parsed(text);
  return html.length > MAX_HTML ? plainText(text.raw).html : html;
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0) ?? 0};`);

const anchor = (url: string): string => (url === '' ? '' : `<a href="${escaped(url)}">${escaped(url)}</a>`);

const page = (body: string, footer: string): string =>
  `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"></head><body>\n${body}\n<p><small>${footer}</small></p>\n</body></html>\n`;
