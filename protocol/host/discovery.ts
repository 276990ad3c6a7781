import * as t from 'io-ts'
import { CapabilityId, EntityType, Instant, Status } from '../atoms.js'
import type { Descriptions } from '../description.js'
import { CardRole } from '../fleet/peers.js'
import { RequestState } from './forge.js'
import { publishRequestFields, syncFields } from './sync-descriptions.js'

const textOrNull = t.union([t.string, t.null])
const numberOrNull = t.union([t.number, t.null])

/** The request of mode `mr` as anyone may read it: without its address. */
const NamedRequest = t.type({ iid: t.number, state: RequestState }, 'NamedRequest')

/** Counts of forwarded interactions of one kind since the start, by their result. */
const DispatchCounters = t.type(
  { accepted: t.number, enacted: t.number, failed: t.number, refused: t.number },
  'DispatchCounters',
)

/**
 * Lore that is not read because it is too large (D65): files, and blocks whose `@ref` is not followed. Zero
 * while the tree is within its budgets.
 */
const LeftOut = t.type({ files: t.number, references: t.number }, 'LeftOut')

export const PublishMode = t.keyof({ push: null, mr: null, none: null }, 'PublishMode')
export type PublishMode = t.TypeOf<typeof PublishMode>

/** The mode of the daemon (A 3). */
export const Mode = t.keyof({ ReadWrite: null, ReadOnly: null }, 'Mode')

const row = (means: string, mend: string, blocks = true): BlockRow => ({ means, mend, blocks })

/** What to do about it. */
export const goneMend = 'Put it back, or stop the host and start it with the new folder.'

/**
 * What to do about it. The host recognises the file that it opened, so a copy counts only after a restart.
 */
export const stateGoneMend =
  'Move the same folder back: the host goes on by itself. With a copy of it, stop the host, put the copy there and ' +
  'start it again. Without either, restart the host: it creates an empty state area. Then mint the named tokens ' +
  'again.'

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
  ledger_unreadable: row(
    'A ledger of what was closed, settled or paid cannot be read: it is above 64 MiB, not UTF-8, or no plain file. ' +
      'So it is unknown what must not be enacted again, and writes are refused.',
    'Commit the file again as it was when it could be read; git log -- FILE lists its versions. The host loads it by ' +
      'itself.',
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
  history_purged: row(
    'Commits would bring back what was purged from the history, so nothing is merged or published. Writes go on ' +
      'until the sync is too old.',
    'Where they are of this host, run kronika accept-rewrite here, which shows what it does; else take them out of ' +
      'the remote again.',
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

/** A code with the number of files or keys that it concerns. */
export const BlockCount = t.type({ code: BlockCode, count: t.number }, 'BlockCount')

/** `memory`: it is made and not kept as an artifact; the others as of a derived artifact. */
export const MentionIndexState = t.keyof(
  { memory: null, fresh: null, stale: null, absent: null },
  'MentionIndex',
)
export type MentionIndexState = t.TypeOf<typeof MentionIndexState>

/**
 * `GET /health` (A 2.8, D20): has every key from the start; parts that are not built yet have their empty
 * value.
 */
export const Health = t.type(
  {
    /** `degraded` while `blocked` is not empty. */
    status: t.keyof({ ok: null, degraded: null }, 'HealthStatus'),
    /**
     * What blocks writes now or later; empty when nothing does. This row is public, so it has no path and no
     * text.
     */
    blocked: t.readonlyArray(BlockCount),
    version: t.string,
    schema: numberOrNull,
    expected: t.number,
    mode: Mode,
    role: CardRole,
    entities: t.number,
    leftOut: LeftOut,
    pid: t.number,
    uptimeSeconds: t.number,
    requestCount: t.number,
    lagMs: t.number,
    imageDigest: t.string,
    contract: t.type({ version: textOrNull, sha: textOrNull, agent: textOrNull }, 'Contract'),
    memory: t.union([
      t.type(
        {
          retainedManagedMb: t.number,
          workingSetMb: t.number,
          gcHeapLimitMb: t.number,
          gen2Collections: t.number,
        },
        'Memory',
      ),
      t.null,
    ]),
    sync: t.type(
      {
        enabled: t.boolean,
        publishMode: PublishMode,
        intervalMinutes: t.number,
        stale: t.boolean,
        staleAfterMinutes: t.number,
        lastConvergeOkUtc: t.union([Instant, t.null]),
        lastAction: textOrNull,
        request: t.union([NamedRequest, t.null]),
      },
      'SyncState',
    ),
    readerThreads: t.number,
    readersLive: t.number,
    mentionIndex: MentionIndexState,
    dispatch: t.type(
      { close: DispatchCounters, report: DispatchCounters, query: DispatchCounters },
      'Dispatch',
    ),
  },
  'Health',
)
export type Health = t.TypeOf<typeof Health>

const texts = t.readonlyArray(t.string)

/** Tag keys that each type accepts beyond the universal ones. */
const TagsByType = t.type(
  {
    NPC: texts,
    Grupa: texts,
    Lokacja: texts,
    Mapa: texts,
    Gracz: texts,
    Postać: texts,
    Przedmiot: texts,
    Region: texts,
  },
  'TagsByType',
)

/** `GET /schema`: the closed vocabulary (A 2.8). */
export const Schema = t.type(
  {
    entityTypes: t.readonlyArray(EntityType),
    statuses: t.readonlyArray(Status),
    tags: texts,
    universalTags: texts,
    tagsByType: TagsByType,
    denominations: texts,
    towns: texts,
    roles: texts,
    capabilities: t.readonlyArray(CapabilityId),
  },
  'Schema',
)
export type Schema = t.TypeOf<typeof Schema>

/** `GET /schema/version`: the format stamped in the repository, and the one that this daemon reads (D21). */
export const SchemaVersion = t.type(
  {
    stamped: t.union([t.number, t.null]),
    expected: t.literal(2),
    state: t.keyof({ Current: null, SchemaTooOld: null, SchemaTooNew: null }, 'FormatState'),
  },
  'SchemaVersion',
)
export type SchemaVersion = t.TypeOf<typeof SchemaVersion>
export type Mode = t.TypeOf<typeof Mode>

/** The mode that a request asks for (A 4.5). */
export const WantedMode = t.keyof({ 'read-only': null, 'read-write': null }, 'WantedMode')
export type WantedMode = t.TypeOf<typeof WantedMode>

/** A cause in `blocked`: what it means, and what an operator does about it. */
interface BlockRow {
  readonly means: string
  readonly mend: string
  /** Whether writes are refused for it; otherwise the host only runs with another configuration. */
  readonly blocks: boolean
}
export type BlockCode = t.TypeOf<typeof BlockCode>

/** A fault of a checkout that blocks writes: its code, what was found, and the files, below the checkout. */
export interface CheckoutFault {
  readonly code: BlockCode
  readonly reason: string
  readonly files: ReadonlyArray<string>
}

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

/** The message about a missing repository. It is also in answers, so it names no folder. */
export const goneWords = 'the repository was moved, removed or replaced while this host served it'

/** Why the daemon commits nothing without the state area. It is also in answers, so it names no folder. */
export const stateGoneWords = 'the state area was moved, removed or replaced while this host used it'

/** Why the daemon commits, merges and publishes nothing while HEAD names no branch, and what to do. */
export const detachedWords =
  'HEAD is on no branch: end the rebase or bisect that is under way, or check out the branch'

/** A row of `GET /routes` (A 2.8). `params` are the accepted query names; a null capability is public. */
const RouteRow = t.type(
  {
    method: t.keyof({ GET: null, POST: null, PUT: null, PATCH: null, DELETE: null }, 'Method'),
    path: t.string,
    capability: t.union([CapabilityId, t.null]),
    write: t.boolean,
    replica: t.boolean,
    pool: t.boolean,
    poolReason: t.union([
      t.keyof({ mutates: null, memoizes: null, shells: null, default: null }, 'PoolReason'),
      t.null,
    ]),
    params: t.readonlyArray(t.string),
    etag: t.boolean,
  },
  'RouteRow',
)
type RouteRow = t.TypeOf<typeof RouteRow>

/** `GET /routes`: the closed table as served, in its order. */
export const RouteTable = t.type({ count: t.number, routes: t.readonlyArray(RouteRow) }, 'RouteTable')
export type RouteTable = t.TypeOf<typeof RouteTable>

const blocked = {
  code: 'What blocks, from a closed set.',
  count: 'Number of files or keys that it is about.',
} as const

export const discoveryDescriptions: Descriptions = {
  Health: {
    status: '`degraded` while `blocked` has entries.',
    blocked: 'What keeps this host from writing, or will.',
    version: 'Version of the daemon.',
    schema: 'Format that the repository is stamped with; null without a stamp.',
    expected: 'Format that this daemon reads and writes.',
    mode: 'Whether the daemon takes writes.',
    role: 'Role of this host in its fleet; empty for a host in none.',
    entities: 'Number of blocks in the snapshot.',
    leftOut: 'Lore that is not read because it is above a size budget.',
    pid: 'Process id of the daemon.',
    uptimeSeconds: 'Seconds since the start.',
    requestCount: 'Number of requests since the start.',
    lagMs: 'The longest pause of the event loop in the last minute, in ms.',
    imageDigest: 'Digest of the container image; empty outside one.',
    contract: 'Contract with the chat agent; its fields are null without one.',
    memory: 'Memory of the process; null when it is not measured.',
    sync: 'State of the host and its remote.',
    readerThreads: 'Number of reader threads that are configured.',
    readersLive: 'Number of reader threads that answer.',
    mentionIndex: 'State of the index of mentions.',
    dispatch: 'Forwarded interactions of the chat since the start, by kind.',
  },
  LeftOut: { files: 'Number of files.', references: 'Number of blocks whose `@ref` is not followed.' },
  Contract: {
    version: 'Version of the contract; null without one.',
    sha: 'Commit of the contract; null without one.',
    agent: 'Version of the agent; null without one.',
  },
  Memory: {
    retainedManagedMb: 'Used heap of the JavaScript engine, in MiB.',
    workingSetMb: 'Resident memory of the process, in MiB.',
    gcHeapLimitMb: 'Largest heap that the engine allows, in MiB.',
    gen2Collections: 'Number of major garbage collections since the start.',
  },
  SyncState: syncFields,
  NamedRequest: { iid: publishRequestFields.iid, state: publishRequestFields.state },
  Dispatch: {
    close: 'Closes of sessions.',
    report: 'Reports of sessions.',
    query: 'Questions.',
  },
  DispatchCounters: {
    accepted: 'Number taken.',
    enacted: 'Number carried out.',
    failed: 'Number that ended in an error.',
    refused: 'Number that were refused.',
  },
  BlockCount: blocked,
  Blocker: {
    ...blocked,
    reason: 'Why it blocks.',
    mend: 'What the operator does about it.',
    files: 'The first files that it is about.',
  },
  'Blocker.files': {
    path: 'Path of the file.',
    line: 'Line in the file, counted from 1; null when it is about the whole file.',
  },
  RouteTable: { routes: 'The rows, in the order of the table.' },
  RouteRow: {
    method: 'HTTP method.',
    path: 'Path below `/v1/api`, parameters in braces.',
    capability: 'Capability that the caller needs; null for a public row.',
    write: 'True when the row passes the write gate.',
    replica: 'True when the answer depends on the committed trees and the day alone.',
    pool: 'True when a reader thread may answer.',
    poolReason: 'Why no reader thread answers; null when one may.',
    params: 'Names of the query parameters.',
    etag: 'True when the answer has a validator.',
  },
  Schema: {
    entityTypes: 'Types of blocks.',
    statuses: 'Statuses of blocks.',
    tags: 'Every tag, without the at sign.',
    universalTags: 'Tags that blocks of every type take.',
    tagsByType: 'Further tags by type.',
    denominations: 'Coins, by name.',
    towns: 'Towns that hosts stand for.',
    roles: 'Roles of people.',
    capabilities: 'Every capability.',
  },
  TagsByType: {
    NPC: 'Tags of characters of narrators.',
    Grupa: 'Tags of groups.',
    Lokacja: 'Tags of places.',
    Mapa: 'Tags of maps.',
    Gracz: 'Tags of people.',
    Postać: 'Tags of characters of players.',
    Przedmiot: 'Tags of items and money.',
    Region: 'Tags of regions.',
  },
  SchemaVersion: {
    stamped: 'Format that the repository is stamped with; null without a stamp.',
    expected: 'Format that this daemon reads and writes.',
    state: 'How the two compare.',
  },
  IntegrityFinding: {
    Kind: 'Kind of the finding, from a closed set.',
    Severity: 'How grave it is.',
    Subject: 'Name that the finding is about; null without one.',
    Detail: 'What is wrong, in Polish.',
    File: 'Path of the file; null without one.',
    Line: 'Line in the file, counted from 1; null without one.',
    Suggestion: 'What a person should do, in Polish; null without one.',
  },
}
