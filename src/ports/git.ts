import type { Either } from 'fp-ts/lib/Either.js'
import type { BlobId, CommitId, FurtherTree, RepoPath } from '#protocol/atoms.js'
import type { ClaimCommit, FetchedClaims, Flip } from '#protocol/fleet/takeover.js'
import type { CheckoutFault } from '#protocol/host/discovery.js'
import type { ForgeMerge } from '#protocol/host/forge.js'
import type { PublishRequest, SyncAction, SyncEnded } from '#protocol/host/sync.js'
import type { ConvergeLint } from '#protocol/lore/places.js'
import type { RefusalOf } from '#protocol/refusal.js'
import type { LedgersAt } from '#src/domain/points/enacted-rows.js'

/** Why a step of a converge failed. `detail` contains no secret (S34). */
export interface RemoteFailure {
  readonly _tag: 'Failed'
  readonly action: SyncAction
  readonly detail: string
}

/** The heads of both sides after a fetch. `remote` is null where its branch does not exist yet. */
export interface Fetched {
  readonly _tag: 'Fetched'
  readonly branch: string
  readonly head: CommitId
  readonly remote: CommitId | null
  /** Commits of the remote that are missing here, and the reverse. */
  readonly incoming: number
  readonly outgoing: number
}

/**
 * What a merge could not resolve: the commit of the merge with this host's version, and the files that
 * differ.
 */
export interface Parked {
  readonly commit: CommitId
  readonly files: ReadonlyArray<string>
  readonly reason: string
}

/** A commit that has both heads as ancestors. Its objects exist; no ref points to it yet. */
export interface Integrated {
  readonly _tag: 'Integrated'
  readonly commit: CommitId
  /** Files that git's text merge could not merge and the block and row merge did. */
  readonly resolved: number
  readonly parked: Parked | null
}

export type Pushed =
  | { readonly _tag: 'Pushed' }
  | { readonly _tag: 'Behind' }
  | { readonly _tag: 'Unknown'; readonly detail: string }
  | RemoteFailure

/** A ref of parked work, which waits for a person. */
export interface ParkedRef {
  readonly ref: string
  readonly commit: string
}

/** A new history of the remote that the operator has not accepted here. `tip` is null where the branch is gone. */
export interface Rewrite {
  /** What the remote had when this host saw it last. */
  readonly seen: CommitId
  readonly tip: CommitId | null
}

/** Two histories of this branch: whoever asks for a commit of `from` is answered by one that has `to`. */
export interface Replacement {
  readonly from: CommitId
  readonly to: CommitId
}

/** A commit of this host, made again on another parent. */
export interface ReplayedCommit extends Replacement {
  readonly intent: string | null
}

/** The commits of this host on the new history. Their objects exist; no ref points to them yet. */
export interface Replayed {
  readonly _tag: 'Replayed'
  readonly commit: CommitId
  /** In their order. A commit whose intent the new history has already is not among them. */
  readonly made: ReadonlyArray<ReplayedCommit>
  readonly parked: ReadonlyArray<Parked>
}

/** The git remote of a checkout. Every call ends within its time limit. */
export interface Remote {
  readonly facts: () => Promise<RemoteFacts>
  /**
   * Fetches the branch. Fails with `history_rewritten` where the remote does not have what it had when this host saw it
   * last: then `compare` goes on as if there had been no fetch, until `settle`.
   */
  readonly fetch: (signal: AbortSignal) => Promise<Fetched | RemoteFailure>
  /** The heads of both sides now, by the last fetch. Does not contact the remote. */
  readonly compare: (branch: string) => Promise<Fetched | RemoteFailure>
  readonly integrate: (
    fetched: Fetched,
    atMs: number,
    signal: AbortSignal,
  ) => Promise<Integrated | RemoteFailure>
  /** Pushes exactly this commit as a fast-forward. */
  readonly push: (branch: string, commit: CommitId, signal: AbortSignal) => Promise<Pushed>
  /**
   * Keeps a commit under a ref of this host, durably. Reuses the ref of a commit with the same tree and
   * parents, otherwise creates the next one.
   */
  readonly park: (commit: CommitId) => Promise<ParkedCommit>
  /** Deletes the parked ref of a merge that did not land. */
  readonly unpark: (ref: string, commit: CommitId) => Promise<void>
  readonly held: () => Promise<HeldRefs>
  /** Makes the unpublished commits of `head` again on the new history, and remembers what the rewrite removed. */
  readonly replay: (
    rewrite: Rewrite,
    head: CommitId,
    signal: AbortSignal,
  ) => Promise<Replayed | RemoteFailure>
  /** Records, before the branch moves, which commit takes the place of which. */
  readonly replace: (replacement: Replacement) => Promise<void>
  /** Takes the new history of the remote as the one that this host saw last. */
  readonly settle: (rewrite: Rewrite) => Promise<void>
  /**
   * Commits here that the remote is not known to have; null before its branch was ever fetched, or without a
   * branch here.
   */
  readonly unpublished: () => Promise<number | null>
}

/**
 * One committed file: its blob id and what the tree says of it. `bytes` is its size, null where only reading
 * tells.
 */
export interface TreeEntry {
  readonly path: RepoPath
  readonly blob: BlobId
  readonly bytes: number
}

/** An entry of the tree that cannot be a file of the snapshot, with the reason. */
export interface Skipped {
  readonly path: string
  readonly reason: 'symlink' | 'submodule' | 'folder' | 'path' | 'unreadable' | 'unlisted'
}

export interface TreeListing {
  readonly entries: ReadonlyArray<TreeEntry>
  readonly skipped: ReadonlyArray<Skipped>
}

/**
 * What a source serves now. Two `id`s are equal exactly where the files are: a tree id, or a hash over a
 * plain directory.
 */
export interface Head {
  readonly commit: CommitId | null
  readonly id: string
}

/** A commit has this file and git cannot read its object: the disk is damaged, or the clone is partial. */
export class LostObject extends Error {
  constructor({ path, blob }: Pick<TreeEntry, 'path' | 'blob'>) {
    super(
      `${path}: its object ${blob} is missing or damaged; run \`git fsck\`, then copy it from another clone`,
    )
  }
}

/** A tree of files read by content id: the HEAD of a git repository, or a plain directory. */
export interface TreeSource {
  readonly kind: 'git' | 'directory'
  readonly path: string
  /** Reads the current HEAD. A repository without a commit has the empty tree and no commit. */
  readonly head: () => Promise<Head>
  readonly list: (head: Head) => Promise<TreeListing>
  /**
   * Like `list`, for these paths only and without listing the tree. A path that does not exist is in neither
   * list. Throws where a folder on the way cannot be read.
   */
  readonly listAt: (head: Head, paths: ReadonlyArray<string>) => Promise<TreeListing>
  /**
   * The bytes of a file; null where a plain directory does not provide them. Throws `LostObject` where git
   * has no readable object: the caller must not treat the file as absent.
   */
  readonly read: (entry: TreeEntry) => Promise<Buffer | null>
  /**
   * The file at a path now, without listing the tree; null where there is none. Throws where its object is
   * lost.
   */
  readonly file: (path: string) => Promise<{ readonly blob: BlobId; readonly bytes: Buffer } | null>
  /** Whether `commit` is `head` or an ancestor of it. */
  readonly contains: (head: Head, commit: CommitId) => Promise<boolean>
  readonly close: () => Promise<void>
}

/** A file as a commit has it. `blob` is null for what is not a text file: a link, a submodule. */
export interface PastVersion {
  readonly path: string
  readonly blob: BlobId | null
}

/**
 * A file that a commit changed: its version in each parent (none for a first commit) and in the commit; null:
 * absent.
 */
export interface PastFile {
  readonly before: ReadonlyArray<PastVersion | null>
  readonly after: PastVersion | null
}

/**
 * A commit with the files that it changed; for a merge, only those that differ from every parent. Names,
 * message and trailers are unchecked.
 */
export interface PastCommit {
  readonly id: CommitId
  readonly author: string
  readonly authoredMs: number
  readonly committedMs: number
  readonly subject: string
  readonly trailers: {
    readonly actor: string | null
    readonly route: string | null
    readonly intent: string | null
  }
  /** The bytes of the commit object, which may contain a signature. */
  readonly bytes: Buffer
  readonly files: ReadonlyArray<PastFile>
  /** Whether the commit changed more files than `files` lists. */
  readonly cut: boolean
}

/**
 * Which commits: the ancestors of `head`, newest first, without the first `skip`; by commit date, both ends
 * inclusive.
 */
export interface PastWanted {
  readonly head: CommitId
  readonly skip: number
  readonly max: number
  readonly fromMs: number | null
  readonly toMs: number | null
  /** Only commits that touch the path. */
  readonly path: string | null
}

/**
 * A walk in progress. It is limited in time: once `spent`, the reader stops. Call `end` in every case; it
 * frees the walk.
 */
export interface PastWalk {
  readonly commits: AsyncIterable<PastCommit>
  readonly spent: () => boolean
  /** Yields to the event loop once this walk has used its slice of time. */
  readonly breathe: () => Promise<void>
  readonly end: () => void
}

/** The history of the served branch, which git processes read outside the event loop. */
export interface GitHistory {
  /** Whether `commit` is `head` or an ancestor of it. */
  readonly has: (head: CommitId, commit: CommitId) => Promise<boolean>
  /** A commit without its files; null where no commit has this id. */
  readonly commit: (id: CommitId) => Promise<Omit<PastCommit, 'files' | 'cut'> | null>
  /** Null where the host already runs and queues as many walks as it allows. */
  readonly walk: (wanted: PastWanted) => Promise<PastWalk | null>
  /** The text of a blob; null where it is too large. */
  readonly text: (blob: BlobId) => Promise<string | null>
}

/**
 * The commit at which the fleet is read. `Fetched`: that of the remote's branch, as last fetched. `Head`: that of
 * this checkout, which has no remote. `NotFetched`: there is a remote, and nothing was fetched from it yet.
 */
export type FleetTip =
  | { readonly _tag: 'NotFetched'; readonly head: CommitId | null }
  | { readonly _tag: 'Fetched'; readonly commit: CommitId }
  | { readonly _tag: 'Head'; readonly commit: CommitId | null }

/** The commit that last changed a file, as of a tip. */
export interface KnownChange {
  readonly tip: CommitId
  readonly changed: CommitId
}

/** The branch at which a host reads the topology of its fleet. Contacts no remote. Throws where git fails. */
export interface FleetBranch {
  readonly tip: () => Promise<FleetTip>
  /**
   * The commit that brought the present version of a file; null where no commit has changed it. A side whose version
   * a merge did not keep does not count. Parents come after their children whatever their dates, so a clock that
   * was wrong does not bring an older commit back. `known` is an earlier answer: the history before it is not
   * walked again where no commit since has changed the file.
   */
  readonly lastChange: (tip: CommitId, path: string, known: KnownChange | null) => Promise<CommitId | null>
}

/** The git part of publishing by merge requests. Every method rejects where git fails, unless it says otherwise. */
export interface PublishGit {
  /** The branch of the remote that this host pushes to, and no other host. */
  readonly branch: string
  /**
   * Joins the newest squash that the remote has and this host has not: returns `fetched` with the remote at a
   * commit whose parents are the tip that was squashed and the head of the remote, and whose tree is that of the
   * remote. A merge with it keeps what this host wrote after the tip. Returns `fetched` where there is none.
   */
  readonly joinSquash: (fetched: Fetched, merges: ReadonlyArray<ForgeMerge>) => Promise<Fetched>
  /** Whether the remote has the contents of every commit of `head`, which has every commit of the remote. */
  readonly isTakenOver: (head: CommitId, remote: CommitId) => Promise<boolean>
  /**
   * Whether `head` has a commit, other than a merge and one that takes back an enactment, that neither `since` nor the
   * remote has; true where `since` is not known here.
   */
  readonly hasWritesSince: (since: string, head: CommitId, remote: CommitId) => Promise<boolean>
  /** The ledgers of enactments at a commit; null where it is not known here. */
  readonly ledgersAt: (commit: string) => Promise<LedgersAt | null>
  /** Pushes exactly this commit to the branch as a fast-forward. Never rejects. */
  readonly push: (commit: CommitId, signal: AbortSignal) => Promise<Pushed>
  /**
   * Commits of the branch here whose contents the remote is not known to have; null as `Remote.unpublished`.
   */
  readonly unpublished: () => Promise<number | null>
}

/** The git part of a takeover. Its commits are based on what the remote has, never on commits of this host. */
export interface TakeoverGit {
  /** Fetches the followed branch and the branch of a takeover into refs of their own. */
  readonly fetch: (claimBranch: string, signal: AbortSignal) => Promise<FetchedClaims | RemoteFailure>
  /** Makes the commit of a claim, which has the same id on every host, and pushes it as a fast-forward. */
  readonly push: (
    claim: ClaimCommit,
    signal: AbortSignal,
  ) => Promise<{ readonly commit: string; readonly pushed: Pushed } | RemoteFailure>
  /** Reads the change that made a version of the file; null where it is the first one. Rejects where git fails. */
  readonly readFlip: (fenceCommit: string) => Promise<Flip | null>
}

/**
 * Work that a merge parked, with the files, blocks and rows that its commit names, as `path ### block row
 * (cause)`.
 */
export interface ParkedWork extends ParkedRef {
  readonly conflicts: ReadonlyArray<string>
}

/** The state of a git checkout by its refs and remotes, without a fetch. */
export interface CheckoutState {
  /** Without `refs/heads/`; null where HEAD is on no branch. */
  readonly branch: string | null
  /** URL of the followed remote without credentials; null where no remote has this name. */
  readonly remote: string | null
  /** That to which a push goes, likewise. */
  readonly pushRemote: string | null
  /**
   * Commits of the branch that the remote is not known to have; null before its branch was ever fetched, or
   * without a branch.
   */
  readonly unpublished: number | null
  readonly parked: ReadonlyArray<ParkedWork>
}

/** A file with the blob that it has in the served commit. */
export interface ServedFile {
  readonly path: RepoPath
  readonly blob: BlobId
}

/** The state of a checkout as far as it affects writes, as one look at the disk found it. */
export interface CheckoutView {
  /** The repository was moved or removed; then the other fields are meaningless. */
  readonly gone: boolean
  /** Whether HEAD names no branch: a rebase or bisect is in progress, or a commit is checked out. */
  readonly detached: boolean
  /** What keeps git's own files, or the filters of the files, from being written; at most one of each code. */
  readonly faults: ReadonlyArray<CheckoutFault>
  /**
   * Files whose index or work tree differ from the commit, sorted; null where this look could not find out.
   */
  readonly dirty: ReadonlyArray<string> | null
}

/**
 * Looks at the disk. The cost is linear in the number of files: one `lstat` each, and one read for each
 * change of a file whose stat data in git's index does not prove it unchanged.
 */
export type LookAtCheckout = (files: ReadonlyArray<ServedFile>) => Promise<CheckoutView>

/** The object store of a checkout. Its gits run at a low priority, and end within a limit. */
export interface ObjectStore {
  /** Counts the loose objects and their bytes on disk; null where git cannot tell. */
  readonly weigh: (
    signal: AbortSignal,
  ) => Promise<{ readonly objects: number; readonly bytes: number } | null>
  /** Packs the loose objects that a ref, a reflog or the index reaches, and removes no other object. */
  readonly pack: (signal: AbortSignal) => Promise<void>
  /** Runs `git gc --auto`, which never removes what a running write needs. */
  readonly collectGarbage: (signal: AbortSignal) => Promise<void>
}

/** A line of a committed file without its newline, and the commit that added it. */
export interface LineOrigin {
  readonly commit: CommitId
  readonly line: string
}

/** The commit that added each line of a file as it is in commit `at`; empty where history does not say. */
export type LineOrigins = (at: CommitId, path: string) => Promise<ReadonlyArray<LineOrigin>>

/** The state of convergence with the remote; ages and intervals in minutes. */
export interface SyncView {
  readonly enabled: boolean
  readonly publishMode: 'push' | 'mr' | 'none'
  readonly intervalMinutes: number
  readonly stale: boolean
  readonly staleAfterMinutes: number
  readonly lastConvergeOkMs: number | null
  readonly lastAction: SyncAction | null
  /** What git or the host reported of a failed converge; without credentials. */
  readonly lastDetail: string | null
  /** Whether the lore is a git repository. */
  readonly git: boolean
  /** The URL of the remote without credentials. */
  readonly remote: string | null
  /**
   * Commits here that the remote is not known to have; null before it was ever fetched, or while HEAD is on
   * no branch.
   */
  readonly unpublished: number | null
  /** The request that publishes the commits of this host in mode `mr`. */
  readonly request: PublishRequest | null
  readonly parked: ReadonlyArray<{ readonly ref: string; readonly commit: string }>
}

/** Convergence with the remote, as its callers see it (A 2.8). */
export interface RemoteSync {
  readonly sync: () => SyncView
  /** The same of each further tree that this host writes. */
  readonly trees: () => ReadonlyArray<SyncView & { readonly tree: FurtherTree }>
  /** Runs one converge that begins after the call; returns how it ended (A 4.5). */
  readonly converge: () => Promise<
    Either<RefusalOf<'SyncDisabled' | 'Overloaded'>, Pick<SyncView, 'lastAction' | 'lastDetail'>>
  >
  /** As `converge`, and takes a history that the remote was given since this host saw it last. */
  readonly accept: RemoteSync['converge']
  /** What accepting would do by the last converge; null where there is nothing to accept. */
  readonly planAccept: () => Promise<Exclude<SyncEnded['rewrite'], undefined>>
  /** The lint of the last converge; null before the first (D35). */
  readonly recordedLint: () => ConvergeLint | null
}

/** What is known of the remote without contacting it. */
interface RemoteFacts {
  readonly exists: boolean
  /** The URL without credentials. */
  readonly address: string | null
}

/** The ref that keeps a commit, and the commit; `isNew` where this call created the ref. */
interface ParkedCommit {
  readonly ref: string
  readonly commit: CommitId
  readonly isNew: boolean
}

/** What the refs of this host hold beside its branch. */
interface HeldRefs {
  readonly parked: ReadonlyArray<ParkedRef>
  readonly rewrite: Rewrite | null
  readonly replaced: ReadonlyArray<Replacement>
}
