import * as t from 'io-ts'
import { goneMend, stateGoneMend } from './gone-words.js'

/** A cause in `blocked`: what it means, and what an operator does about it. */
interface BlockRow {
  readonly means: string
  readonly mend: string
  /** Whether writes are refused for it; otherwise the host only runs with another configuration. */
  readonly blocks: boolean
}

const row = (means: string, mend: string, blocks = true): BlockRow => ({ means, mend, blocks })

/**
 * The causes that block writes of a host now or later, the gravest first. The codes are closed and public: `GET
 * /health` shows them with counts only, `GET /sync` names files and lines. The host looks for each of them every
 * `server.selfheal_interval_ms`, without a request.
 */
export const blockCodes = {
  repository_gone: row('The repository was moved, removed or replaced while this host served it.', goneMend),
  object_damaged: row(
    'An object of git is damaged or missing, so a commit cannot be loaded or made.',
    'Run git fsck there; copy the object from another clone below .git/objects, or run git fetch --refetch. The host ' +
      'goes on by itself.',
  ),
  snapshot_stale: row(
    'The commit of HEAD cannot be loaded, so reads use an older one and writes are refused.',
    'Commit a fix; the host loads it by itself.',
  ),
  state_gone: row(
    'The state area was moved, removed or replaced while this host used it: tokens, logins, jobs and journal of this ' +
      'host are lost if it stops before the folder is back.',
    stateGoneMend,
  ),
  index_unreadable: row(
    "Git's index is split, sparse or damaged; no host writes such a one.",
    'Run git update-index --no-split-index and git sparse-checkout disable there; where it is damaged, move it away ' +
      'and run git reset. The host goes on by itself.',
  ),
  repository_read_only: row(
    'This host may not write a folder of the checkout.',
    'Give the folder to the user of the host (chown -R), or mount it for writing. The host goes on by itself.',
  ),
  head_detached: row(
    'HEAD is on no branch: a rebase or bisect is under way, or a commit is checked out. What is committed there ' +
      'would be on no branch.',
    'End the rebase or bisect, or go back with git switch BRANCH; git status shows which it is.',
  ),
  not_adopted: row(
    'The repository has the legacy layout and is not adopted, so it is served read-only.',
    'POST /import adopts it; or stop the host, run kronika adopt DIR, and start it again.',
  ),
  ref_lock: row(
    "Another program has held git's lock on HEAD or its branch for 5 s.",
    'Wait until that git process has ended; if no git is running, remove the file.',
  ),
  index_lock: row(
    "Another program has held git's lock on the index for 5 s.",
    'Wait until that git process has ended; if no git is running, remove the file.',
  ),
  filter_command: row(
    'Files that the host reads have a filter of git that runs a command, which no host does.',
    'Remove the filter from the attributes of these files, or its command from the configuration of git, and commit ' +
      'them as they are to be served.',
  ),
  work_tree_dirty: row(
    'These files have uncommitted changes, so a write that touches one is refused.',
    'Commit or stash the changes; git status lists them.',
  ),
  history_rewritten: row(
    'The remote was given another history, so nothing is merged or published. Writes go on until the sync is too old.',
    'If it was meant, run kronika accept-rewrite here, which shows what it does; else push the old history back.',
    false,
  ),
  config_broken: row(
    'The committed configuration does not parse.',
    'Fix that place, commit the file, and restart the host.',
    false,
  ),
  config_differs: row(
    'Keys of the committed configuration differ from those that the host started with.',
    'Restart the host to use it.',
    false,
  ),
  address_changed: row(
    'Committed addresses differ from those that the host has pinned, and it does not use them.',
    'If you meant it, run kronika trust on this host, and restart it; else revert the commit.',
    false,
  ),
} as const satisfies Readonly<Record<string, BlockRow>>

export const BlockCode = t.keyof(blockCodes, 'BlockCode')
export type BlockCode = t.TypeOf<typeof BlockCode>

/** A fault of a checkout that blocks writes: its code, what was found, and the files, below the checkout. */
export interface CheckoutFault {
  readonly code: BlockCode
  readonly reason: string
  readonly files: ReadonlyArray<string>
}

/** A code with the number of files or keys that it concerns. */
export const BlockCount = t.type({ code: BlockCode, count: t.number }, 'BlockCount')

/** A code for the operator: why, what to do, and the first files with their lines. */
export const Blocker = t.type(
  {
    code: BlockCode,
    count: t.number,
    reason: t.string,
    mend: t.string,
    files: t.readonlyArray(t.type({ path: t.string, line: t.union([t.number, t.null]) })),
  },
  'Blocker',
)
export type Blocker = t.TypeOf<typeof Blocker>
