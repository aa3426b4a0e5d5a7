import { listDatasetTags, listModelTags } from '@moonbase/client/discovery';
import { listDatasets, listKernels, listModels, listSpaces } from '@moonbase/client/repositories';
import type { Hub } from '@moonbase/client/request';

/** The kinds of repositories that have a list of all, by the paths of the lists. */
export const KINDS = {
  models: { title: 'Models', type: 'model', list: listModels },
  datasets: { title: 'Datasets', type: 'dataset', list: listDatasets },
  spaces: { title: 'Spaces', type: 'space', list: listSpaces },
  kernels: { title: 'Kernels', type: 'kernel', list: listKernels },
} as const;
export type Kind = keyof typeof KINDS;

export type ListedRepo = ReturnType<typeof listModels> extends AsyncGenerator<infer Listed> ? Listed : never;

export const SORTS = {
  trendingScore: 'Trending',
  likes: 'Most likes',
  downloads: 'Most downloads',
  lastModified: 'Recently updated',
  createdAt: 'Newest',
} as const;
export const SORT_NAMES = ['trendingScore', 'likes', 'downloads', 'lastModified', 'createdAt'] as const;

/** The types of tags by which a list is filtered, with the labels of their fields. */
export const TAG_TYPES: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  models: { pipeline_tag: 'Task', library: 'Library', language: 'Language', license: 'Licence' },
  datasets: { task_categories: 'Task', modality: 'Modality', language: 'Language', license: 'Licence' },
  spaces: {},
  kernels: {},
};

/** Returns the tags of public repositories by type; none for kinds that the hub does not count. */
export async function tagsOf(kind: Kind, hub: Hub): ReturnType<typeof listModelTags> {
  if (kind === 'models') return listModelTags(hub);
  return kind === 'datasets' ? listDatasetTags(hub) : {};
}
