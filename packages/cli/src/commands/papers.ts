import {
  claimPaper,
  listAllPaperClaims,
  listPaperClaims,
  type PaperClaim,
  rejectPaperClaim,
  verifyPaperClaim,
} from '@moonbase/client/papers';
import { type Columns, command, group, listing } from '../program/command.ts';
import { UsageError } from '../program/failure.ts';
import { argument, choice, flag, text } from '../program/parameter.ts';
import { when } from './parameters.ts';

const columns: Columns<PaperClaim> = {
  id: ({ id }) => id,
  paper: ({ paperId }) => paperId,
  author: ({ authorName }) => authorName,
  user: ({ user }) => user,
  status: ({ status }) => status.replace('claim_', ''),
  at: ({ createdAt }) => when(createdAt),
};
const claimId = { claim: argument('id of the claim') };

const claim = command({
  name: 'claim',
  summary: 'claim that you are an author of a paper',
  args: { paper: argument('arXiv identifier, such as 2401.01234') },
  options: {
    author: text('id', 'id of the author in the paper (default: the author with your name)'),
    user: text('id', 'claim for this user (for site administrators)'),
  },
  run: ({ hub, args, options }) =>
    claimPaper({ ...hub, paperId: args.paper, claimAuthorId: options.author, targetUserId: options.user }),
  say: ({ claimedPaperId }) => `Claimed ${claimedPaperId}; a site administrator decides.\n`,
});

const claims = listing({
  name: 'claims',
  summary: 'list your claims, or with --all those of everybody (for site administrators)',
  options: {
    all: flag('claims of everybody'),
    status: choice(['claim_requested', 'claim_verified', 'claim_rejected'], 'with --all: only this status'),
  },
  run({ hub, options: { all, status } }) {
    if (!all && status) throw new UsageError('--status requires --all.');
    return all ? listAllPaperClaims({ ...hub, status }) : listPaperClaims(hub);
  },
  columns,
});

const verify = command({
  name: 'verify',
  summary: 'verify a claim (for site administrators)',
  args: claimId,
  run: ({ hub, args }) => verifyPaperClaim({ ...hub, claimId: args.claim }),
  columns,
});

const reject = command({
  name: 'reject',
  summary: 'reject a claim (for site administrators)',
  args: claimId,
  run: ({ hub, args }) => rejectPaperClaim({ ...hub, claimId: args.claim }),
  columns,
});

export const papers = group('papers', 'claims of authorship of papers', [claim, claims, verify, reject]);
