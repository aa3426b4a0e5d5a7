import { downloadRawFile, downloadRawModelFile } from '@moonbase/client/content';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../../session/session.tsx';
import type { Place } from '../place.ts';
import { MarkdownText } from '../readme.tsx';

const CARD = 'README.md';

/** The README of a gated repository, which the hub shows to those without access as well; renders nothing without one. */
export function CardOfGated({ place }: { readonly place: Place }) {
  const { type, repo } = place;
  const hub = useHub();
  const { data } = useQuery({
    queryKey: ['card', type, repo],
    async queryFn({ signal }) {
      const at = { ...hub, repo, revisionAndPath: `main/${CARD}`, signal };
      return (await (type === 'model' ? downloadRawModelFile(at) : downloadRawFile({ ...at, type }))).text();
    },
  });
  if (data === undefined) return null;
  return (
    <section aria-label="README" className="readme">
      <MarkdownText text={data} place={{ ...place, page: 'blob', revision: 'main', path: CARD }} />
    </section>
  );
}
