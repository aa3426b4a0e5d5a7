import { Text } from '@mantine/core';
import { commentPaper, getPaper, hidePaperComment, replyToPaperComment } from '@moonbase/client/papers';
import { useParams } from 'wouter';
import { useHub } from '../session/session.tsx';
import { Commented } from './commented.tsx';

export function Paper() {
  const { paperId = '' } = useParams();
  const hub = useHub();
  return (
    <Commented
      kind="Paper"
      name={paperId}
      load={async (signal) => {
        const paper = await getPaper({ ...hub, paperId, field: 'comments', signal });
        const { discussionId: id, title, authors, summary, comments = [] } = paper;
        const about = (
          <>
            <Text c="dimmed">{authors.map(({ name }) => name).join(', ')}</Text>
            <Text className="keeps-lines breaks">{summary}</Text>
          </>
        );
        return { id, title, about, comments };
      }}
      send={(comment) => commentPaper({ ...hub, paperId, comment })}
      reply={(commentId, comment) => replyToPaperComment({ ...hub, paperId, commentId, comment })}
      hide={(commentId) => hidePaperComment({ ...hub, paperId, commentId })}
    />
  );
}
