import { createElement, Fragment, type ReactNode, useMemo } from 'react';

/** The tags that Markdown produces; of other tags, only the text is shown. */
const TAGS = new Set(
  'p br hr em strong s del code pre blockquote ul ol li h1 h2 h3 h4 h5 h6 table thead tbody tr th td'.split(' '),
);
const HIDDEN = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'object', 'embed', 'title', 'textarea']);

/** Renders the HTML of a comment as elements: only known tags, and no attributes except the URLs of links. */
export function Markup({ html }: { readonly html: string }) {
  const content = useMemo(() => childrenOf(new DOMParser().parseFromString(html, 'text/html').body), [html]);
  return <div className="comment breaks">{content}</div>;
}

function childrenOf(node: Node): ReactNode[] {
  return [...node.childNodes].map((child, at) => asElement(child, at));
}

function asElement(node: Node, key: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof Element)) return null;
  const tag = node.localName;
  if (HIDDEN.has(tag)) return null;
  if (tag === 'br' || tag === 'hr') return createElement(tag, { key });
  if (tag === 'a') return link(node, key);
  // Pictures are replaced by their text, because other hosts would learn who reads the comment.
  if (tag === 'img') return <Fragment key={key}>{node.getAttribute('alt')}</Fragment>;
  if (tag === 'pre') return createElement(tag, { key, tabIndex: 0 }, childrenOf(node));
  return createElement(TAGS.has(tag) ? tag : Fragment, { key }, childrenOf(node));
}

function link(node: Element, key: number): ReactNode {
  const address = addressOf(node.getAttribute('href') ?? '');
  if (address === undefined) return <Fragment key={key}>{childrenOf(node)}</Fragment>;
  return (
    <a key={key} href={address} rel="nofollow noopener noreferrer">
      {childrenOf(node)}
    </a>
  );
}

function addressOf(href: string): string | undefined {
  try {
    const url = new URL(href, location.origin);
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}
