import { shellText } from '../../ui/code/shell-text.ts';
import type { Place } from '../place.ts';

/** Code that programs use, with the name of the program or language. */
export interface Snippet {
  readonly name: string;
  readonly code: string;
}

/** Returns how clients get the files of a repository from the hub; `home` is the path of its page. */
export function snippetsFor(
  place: Pick<Place, 'type' | 'repo' | 'revision'> & { readonly hubUrl: string; readonly home: string },
): Snippet[] {
  const { type, repo, revision, hubUrl, home } = place;
  const isModel = type === 'model';
  const isMain = revision === 'main';
  const options = [
    ...(isModel ? [] : [`--repo-type ${type}`]),
    ...(isMain ? [] : [`--revision ${shellText(revision)}`]),
  ];
  const args = [
    `"${repo}"`,
    ...(isModel ? [] : [`repo_type="${type}"`]),
    ...(isMain ? [] : [`revision=${JSON.stringify(revision)}`]),
    `endpoint="${hubUrl}"`,
  ];
  return [
    { name: 'Command line', code: `export HF_ENDPOINT=${hubUrl}\nhf download ${[repo, ...options].join(' ')}` },
    {
      name: 'Python',
      code: `from huggingface_hub import snapshot_download\n\nfolder = snapshot_download(${args.join(', ')})`,
    },
    { name: 'git', code: `git clone ${isMain ? '' : `--branch ${shellText(revision)} `}${hubUrl}${home}` },
    {
      name: 'curl',
      code: `curl -L -H "Authorization: Bearer $HF_TOKEN" \\\n  ${hubUrl}${home}/resolve/${encodeURIComponent(revision)}/README.md`,
    },
  ];
}
