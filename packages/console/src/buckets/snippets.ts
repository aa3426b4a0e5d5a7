import type { Snippet } from '../repos/card/snippets.ts';
import { shellText } from '../ui/code/shell-text.ts';

/** Returns how programs send files to a folder of a bucket and fetch them. */
export function bucketSnippets(repo: string, path: string, hubUrl: string): readonly Snippet[] {
  const url = `hf://buckets/${repo}${path === '' ? '' : `/${path}`}`;
  const folder = shellText(url);
  const line = (code: string) => `export HF_ENDPOINT=${hubUrl}\n${code}`;
  return [
    { name: 'Upload', code: line(`hf sync ./folder ${folder}`) },
    { name: 'Download', code: line(`hf sync ${folder} ./folder`) },
    {
      name: 'Python',
      code: `from huggingface_hub import HfApi\n\nHfApi(endpoint="${hubUrl}").sync_bucket("./folder", ${JSON.stringify(url)})`,
    },
  ];
}
