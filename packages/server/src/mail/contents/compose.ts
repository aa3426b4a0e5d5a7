import type { ParsedText, Texts } from '../../comments/index.ts';
import type { MailMessage } from '../../platform/mail/transport.ts';
import { plainText } from '../../platform/markdown/plain-text.ts';
import { isOptional, KINDS, oneLine, shorten, subjectLine } from '../policy.ts';
import type { MailContents } from './read-contents.ts';

interface Envelope {
  readonly id: string;
  readonly kind: string;
  /** The domain of the sender's address, within which message ids are unique. */
  readonly domain: string;
  readonly hubUrl: string;
  readonly now: number;
  /** The address that turns this kind off; undefined for a kind that cannot be turned off. */
  readonly unsubscribeUrl: string | undefined;
}

/** Returns the message of a mail: the same text as plain text and as HTML, and headers by which mail programs sort. */
export async function composeMail(contents: MailContents, envelope: Envelope, texts: Texts): Promise<MailMessage> {
  const { id, domain, now } = envelope;
  const { subject, blocks, footer } =
    'notice' in contents ? noticeParts(contents.notice) : threadParts(contents, envelope);
  const paragraphs: string[] = [];
  for (const block of blocks) paragraphs.push(await blockHtml(block, texts));
  const end = [...footer, ...unsubscribeLine(envelope)];
  return {
    to: contents.to,
    subject: oneLine(subject),
    date: now,
    messageId: `<${id}@${domain}>`,
    headers: { ...AUTOMATIC, ...threadHeaders(contents, envelope), ...unsubscribeHeaders(envelope) },
    text: [...blocks.map(blockText), ['-- ', ...end.map(({ text, url }) => `${text}${url}`)].join('\n')].join('\n\n'),
    html: htmlDocument(
      paragraphs.join('\n'),
      end.map(({ text, url }) => `${escapeHtml(text)}${anchor(url)}`).join('<br>'),
    ),
  };
}

/** A comment with its author, or the body of a notice. */
interface Block {
  readonly author?: string;
  readonly text: ParsedText;
}

/** A line of the footer: words and a link, which may be empty. */
interface FooterLine {
  readonly text: string;
  readonly url: string;
}

interface MailParts {
  readonly subject: string;
  readonly blocks: readonly Block[];
  readonly footer: readonly FooterLine[];
}

/** Keeps automatic replies away: RFC 3834 §5, and a header that Microsoft Exchange reads. */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/** The characters of one comment: nobody reads more in a mail, and mail servers limit the size of messages. */
const MAX_LENGTH = 10_000;

/** The characters of one comment's HTML, more than ordinary text of the greatest length needs. */
const MAX_HTML = 5 * MAX_LENGTH;

const DELETED_AUTHOR = 'A deleted user';

const noticeParts = ({ subject, body }: Extract<MailContents, { notice: unknown }>['notice']): MailParts => ({
  subject,
  blocks: [{ text: { raw: body } }],
  footer: [],
});

function threadParts(
  { thread, comments, more }: Extract<MailContents, { thread: unknown }>,
  { kind }: Envelope,
): MailParts {
  const [first] = comments;
  const reason = isOptional(kind) ? `You get this because ${KINDS[kind].reason}. ` : '';
  return {
    subject: subjectLine(`[${thread.place}] `, thread.title, thread.number === undefined ? '' : ` (${thread.number})`),
    blocks: comments.map(({ author = DELETED_AUTHOR, text }) => ({ author, text })),
    footer: [
      ...(more ? [{ text: 'There are more comments than fit into a mail.', url: '' }] : []),
      { text: `${reason}Read and answer it: `, url: `${thread.url}${first ? `#${first.id}` : ''}` },
    ],
  };
}

const unsubscribeLine = ({ unsubscribeUrl: url }: Envelope): FooterLine[] =>
  url === undefined ? [] : [{ text: 'No more mails of this kind: ', url }];

/** Returns headers that make every mail about a thread a reply to one message, so that mail programs group them. */
function threadHeaders(contents: MailContents, { domain, hubUrl }: Envelope): Record<string, string> {
  if ('notice' in contents) return {};
  const { id, place } = contents.thread;
  const thread = `<thread.${id}@${domain}>`;
  return { 'In-Reply-To': thread, References: thread, 'List-Id': listId(place, hubUrl) };
}

/** Returns a list id as RFC 2919 defines it: `acme/bert <bert.acme.hub.example.com>`. */
function listId(place: string, hubUrl: string): string {
  const labels = place
    .split('/')
    .reverse()
    .map((label) => label.replace(/[^a-zA-Z0-9-]+/g, '-'));
  return `${oneLine(place)} <${[...labels, new URL(hubUrl).hostname].join('.')}>`;
}

/** Returns the headers by which a mail program unsubscribes with one click (RFC 8058). */
const unsubscribeHeaders = ({ unsubscribeUrl: url }: Envelope): Record<string, string> =>
  url === undefined ? {} : { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

const beginningOf = ({ raw }: ParsedText): string => shorten(raw, MAX_LENGTH, '\n\n…');

const blockText = ({ author, text }: Block): string =>
  author === undefined ? beginningOf(text) : `${author} wrote:\n\n${beginningOf(text)}`;

async function blockHtml({ author, text }: Block, texts: Texts): Promise<string> {
  const by = author === undefined ? '' : `<p><strong>${escapeHtml(author)}</strong> wrote:</p>\n`;
  return `${by}<div>${await htmlOf(text, texts)}</div>\n<hr>`;
}

/** Returns the HTML that was made of a text when it was written; of a long text the beginning, as plain text. */
async function htmlOf(text: ParsedText, texts: Texts): Promise<string> {
  if (text.raw.length > MAX_LENGTH) return plainText(beginningOf(text)).html;
  const { html } = await texts.parsed(text);
  return html.length > MAX_HTML ? plainText(text.raw).html : html;
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0) ?? 0};`);

const anchor = (url: string): string => (url === '' ? '' : `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`);

const htmlDocument = (body: string, footer: string): string =>
  `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"></head><body>\n${body}\n<p><small>${footer}</small></p>\n</body></html>\n`;
