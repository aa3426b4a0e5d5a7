const FORMATS: readonly (readonly [file: RegExp, format: string, modality: string | undefined])[] = [
  [/\.parquet$/i, 'parquet', 'tabular'],
  [/\.(csv|tsv)$/i, 'csv', 'tabular'],
  [/\.(jsonl|ndjson|json)(\.gz|\.zst)?$/i, 'json', undefined],
  [/\.arrow$/i, 'arrow', 'tabular'],
  [/\.txt$/i, 'text', 'text'],
  [/\.(jpe?g|png|gif|bmp|tiff?|webp)$/i, 'imagefolder', 'image'],
  [/\.(wav|mp3|flac|ogg|opus|m4a)$/i, 'audiofolder', 'audio'],
  [/\.(mp4|webm|mkv|avi|mov)$/i, 'videofolder', 'video'],
];

/** Formats that libraries for tables can read. */
const TABLES = new Set(['parquet', 'csv', 'json', 'arrow']);
/** Files that are not data of the dataset. */
const NOT_DATA = /(^|\/)(dataset_infos?|croissant)\.json$|(^|\/)\./;

/** Returns the tags that follow from the files of a dataset, mainly from its most frequent format. */
export function datasetFileTags(paths: readonly string[]): string[] {
  const data = paths.filter((path) => !NOT_DATA.test(path));
  const counted = FORMATS.map(([file, format, modality]) => ({
    format,
    modality,
    files: data.filter((path) => file.test(path)).length,
  })).filter(({ files }) => files > 0);
  const [commonest] = counted.sort((a, b) => b.files - a.files);
  if (!commonest) return [];
  return [
    `format:${commonest.format}`,
    ...new Set(counted.flatMap(({ modality }) => (modality === undefined ? [] : [`modality:${modality}`]))),
    'library:datasets',
    ...(TABLES.has(commonest.format) ? ['library:pandas', 'library:polars'] : []),
  ];
}
