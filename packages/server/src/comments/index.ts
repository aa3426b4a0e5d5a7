export { type CommentData, newCommentData } from './comment-data.ts';
export { parseMarkdown, renderMarkdown } from './markdown.ts';
export { authorIfKnown, peopleInComment, presentAuthor, presentComment, presentEvent } from './present.ts';
export {
  type CommentChange,
  type Comments,
  createComments,
  type NewComment,
  type OwnedThread,
  type Thread,
  type ThreadChange,
} from './service.ts';
export { countComments } from './store.ts';
