import { parseJson } from '../platform/stored-form.ts';
import type { CardFields, Repository } from '../repositories/index.ts';
import { own, textAt, textsAt } from './facts/json.ts';
import type { RepoCardRow } from './tables.ts';

function ofModel({ library_name, pipeline_tag, details }: RepoCardRow, card: ReturnType<typeof cardOf>) {
  const widgetData = own(card, 'widget');
  const modelIndex = own(card, 'model-index');
  return {
    ...(library_name !== null && { library_name }),
    ...(pipeline_tag !== null && { pipeline_tag }),
    ...(widgetData !== undefined && { widgetData }),
    ...(modelIndex !== undefined && { 'model-index': modelIndex }),
    ...parseJson(details),
  };
}

const ofDataset = (card: ReturnType<typeof cardOf>) =>
  Object.fromEntries(
    ['description', 'citation', 'paperswithcode_id'].flatMap((name) => {
      const text = textAt(card, name);
      return text === undefined ? [] : [[name, text]];
    }),
  );

function ofSpace(card: ReturnType<typeof cardOf>) {
  const sdk = textAt(card, 'sdk');
  const [models, datasets] = [textsAt(card, 'models'), textsAt(card, 'datasets')];
  return {
    ...(sdk !== undefined && { sdk }),
    ...(models.length > 0 && { models }),
    ...(datasets.length > 0 && { datasets }),
  };
}

const cardOf = ({ card }: RepoCardRow) => (card === null ? undefined : parseJson(card));

/** Presents the facts from a repository's files; a repository that was not read yet has no tags. */
export function presentCard({ type }: Repository, row: RepoCardRow | undefined): CardFields {
  if (!row) return { tags: [] };
  const card = cardOf(row);
  return {
    ...(card && { cardData: card }),
    ...(row.error !== null && { cardError: row.error }),
    tags: parseJson(row.tags),
    ...(type === 'model' && ofModel(row, card)),
    ...(type === 'dataset' && ofDataset(card)),
    ...(type === 'space' && ofSpace(card)),
  };
}
