export { type CommentData, newCommentData } from './comment-data.ts';
export { authorIfKnown, htmlOf, peopleInComment, presentAuthor, presentComment, presentEvent } from './present.ts';
export {
  type CommentChange,
  type Comments,
  createComments,
  type NewComment,
  type OwnedThread,
  type Thread,
  type ThreadChange,
  type WrittenComment,
} from './service.ts';
export { countComments } from './store.ts';
export { createTexts, type Text, type Texts } from './texts.ts';
