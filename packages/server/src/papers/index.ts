export {
  authorsOf,
  deletePaper,
  findPaper,
  insertPaper,
  type Paper,
  type PaperAuthor,
  replaceAuthors,
  updatePaper,
} from './store.ts';
