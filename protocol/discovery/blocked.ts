import * as t from 'io-ts'

/**
 * What blocks writes of a host now or later. The codes are closed and public: `GET /health` shows them with
 * counts only, `GET /sync` names files and lines.
 */
export const BlockCode = t.keyof(
  {
    /** Files that the host writes have uncommitted changes. */
    work_tree_dirty: null,
    /** Another program holds git's lock on the index. */
    index_lock: null,
    /** The repository was moved or removed. */
    repository_gone: null,
    /** HEAD names no branch, so a commit would be on none. */
    head_detached: null,
    /** The lore has the legacy layout and was not adopted. */
    not_adopted: null,
    /** The state area of the host was moved, removed or replaced. */
    state_gone: null,
    /** The committed configuration does not parse. */
    config_broken: null,
    /** Keys of the committed configuration differ from those that the host started with. */
    config_differs: null,
    /** Committed addresses differ from those that the host has pinned, and it does not use them. */
    address_changed: null,
    /** The remote was given another history, so nothing is merged or published until a person accepts it. */
    history_rewritten: null,
    /** The commit of HEAD cannot be loaded, so reads use an older one and writes are refused. */
    snapshot_stale: null,
  },
  'BlockCode',
)
export type BlockCode = t.TypeOf<typeof BlockCode>

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
