/**
 * The arXiv identifier of a paper alone: `arXiv:2401.01234v2` and `2401.01234` name the same paper. Returns any other
 * text as it is.
 */
export const plainArxivId = (text: string): string =>
  /^(?:arxiv:)?(\d{4}\.\d{4,5})(?:v[1-9]\d*)?$/i.exec(text)?.[1] ?? text;
