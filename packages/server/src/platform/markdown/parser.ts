import type markdownIt from 'markdown-it';
import type { MarkdownIt, Token } from 'markdown-it';
import type { MarkdownLimits } from './limits.ts';
import type { addNames } from './names.ts';

/** The stored result of parsing a text. */
export interface ParsedMarkdown {
  /** Sanitized HTML. */
  readonly html: string;
  /** The names of mentioned accounts, in lower case, without duplicates. */
  readonly mentions: readonly string[];
}

export type Parse = (raw: string) => ParsedMarkdown | undefined;

type BlockRule = ReturnType<MarkdownIt['block']['ruler']['getRules']>[number];

/**
 * Creates a parser of CommonMark with tables and autolinks. HTML in the source is shown as text, and script links are
 * dropped. The parser returns undefined for a text that exceeds a limit. The source text of this function also runs in
 * the thread, so the function must not use anything from outside.
 */
export function createParser(library: typeof markdownIt, add: typeof addNames, limits: MarkdownLimits): Parse {
  const markdown = library({ html: false, linkify: true });
  const { block, inline, linkify, renderer, options } = markdown;
  const budget = { tokens: 0, cells: 0, links: 0, rules: 0, steps: 0 };

  function exceedLimit(): never {
    throw new Error('The text exceeds a limit');
  }

  function spend(kind: keyof typeof budget): void {
    budget[kind] -= 1;
    if (budget[kind] < 0) exceedLimit();
  }

  block.State = class extends block.State {
    override push(type: string, tag: string, nesting: -1 | 0 | 1) {
      spend('tokens');
      if (type === 'th_open' || type === 'td_open') spend('cells');
      return super.push(type, tag, nesting);
    }
  };
  inline.State = class extends inline.State {
    override push(type: string, tag: string, nesting: -1 | 0 | 1) {
      spend('tokens');
      return super.push(type, tag, nesting);
    }
  };
  const normalizeLink = markdown.normalizeLink.bind(markdown);
  markdown.normalizeLink = (url) => {
    spend('links');
    return normalizeLink(url);
  };
  const skipToken = inline.skipToken.bind(inline);
  inline.skipToken = (state) => {
    spend('steps');
    skipToken(state);
  };
  const testSchemaAt = linkify.testSchemaAt.bind(linkify);
  linkify.testSchemaAt = (text, schema, at) => {
    // The library reaches the same result only after scanning 10,000 characters for each `//` of a long text.
    const isWithin = schema === '//' && at >= 3 && /[:/]/.test(text.charAt(at - 3));
    return isWithin ? 0 : testSchemaAt(text, schema, at);
  };
  const getRules = block.ruler.getRules.bind(block.ruler);
  const countingRules = new Map<string, BlockRule[]>();
  block.ruler.getRules = (chain) => {
    const known = countingRules.get(chain);
    if (known) return known;
    const rules = getRules(chain).map(
      (rule): BlockRule =>
        (state, startLine, endLine, silent) => {
          spend('rules');
          return rule(state, startLine, endLine, silent);
        },
    );
    countingRules.set(chain, rules);
    return rules;
  };

  /** Renders tokens as the library does, up to a maximum length. */
  function render(tokens: readonly Token[], maxLength: number): string {
    let html = '';
    const addAll = (list: Token[]): void => {
      for (const [at, { type, children }] of list.entries()) {
        if (type === 'inline') addAll(children ?? []);
        else html += renderer.rules[type]?.(list, at, options, {}, renderer) ?? renderer.renderToken(list, at, options);
        if (html.length > maxLength) exceedLimit();
      }
    };
    addAll([...tokens]);
    return html;
  }

  /** Collects mentions from text only, not from code or autolinked addresses. */
  function mentionsIn(tokens: readonly Token[]): string[] {
    const names = new Set<string>();
    for (const { children } of tokens) {
      let inAddress = false;
      for (const { type, info, content } of children ?? []) {
        if (type === 'link_open') inAddress = info === 'auto';
        else if (type === 'link_close') inAddress = false;
        else if (type === 'text' && !inAddress) add(names, content, limits.mentions);
      }
    }
    return [...names];
  }

  return (raw) => {
    const { tokens, cells, links, rules, steps } = limits;
    Object.assign(budget, { tokens, cells, links, rules, steps });
    try {
      const parsed = markdown.parse(raw, {});
      const html = render(parsed, limits.html.base + limits.html.factor * raw.length);
      return { html, mentions: raw.includes('@') ? mentionsIn(parsed) : [] };
    } catch {
      return undefined;
    }
  };
}
