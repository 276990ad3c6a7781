import type { Either } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { CommitId } from '#protocol/atoms/commit.js'
import { TokenRef } from '#protocol/identity/named-token.js'
import type { Refusal, RefusalOf } from '#protocol/refusal.js'
import type { Caller } from '#src/domain/callers/caller.js'
import type { ChangeSet } from '#src/domain/lore/edits/change-set.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/**
 * Commands: what is asked of the write gate, as values. The same command can come from HTTP, from the chat, from a
 * command line or from a timer; nothing in it is a function, so it can be compared, copied and replayed.
 */

/** Who asks. A token is a secret: no log, record or answer may have a command in it. */
export const Asker = t.union(
  [
    t.type({ _tag: t.literal('Bearer'), token: t.string }),
    t.type({ _tag: t.literal('Nobody') }),
    /** A person at the machine of the host, or the host itself: no commit takes their right. */
    t.type({ _tag: t.literal('Host') }),
  ],
  'Asker',
)
export type Asker = t.TypeOf<typeof Asker>

const rights = {
  /** The id of the row whose capability is needed. */
  row: t.string,
  asker: Asker,
  /** How the capability was held when the command was made. */
  grade: t.keyof({ full: null, own: null, none: null }),
} as const

/** The right by which something is asked; it may have ended by the time that the gate begins the work. */
export const ClaimedRight = t.type(rights, 'ClaimedRight')
export type ClaimedRight = t.TypeOf<typeof ClaimedRight>

/**
 * Admits an asker again. Returns the caller as the snapshot knows them, or why they may not any more: also where the
 * capability was held in full and is held only in its narrow form now (S30, ADR 1018). A null snapshot means that HEAD
 * cannot be read: the snapshot that is served decides.
 */
export type Admit = (
  claimed: ClaimedRight,
  snapshot: Snapshot | null,
  nowMs: number,
) => Either<RefusalOf<'Unauthorized' | 'Forbidden'>, Caller>

/** On whose behalf a write is made: `name` is the Gracz, or the kind of the caller where there is none. */
export const WriteActor = t.intersection([
  t.type({ name: t.string, gracz: t.union([t.string, t.null]), kind: t.string }),
  t.partial({ token: TokenRef }),
])
/** `token` is the named token that asked for it, where one did. */
export type WriteActor = t.TypeOf<typeof WriteActor>

/** Who makes a commit, and by what. `route` is `POST /entities` or the name of a duty of the host. */
export const WriteOrigin = t.type({ actor: WriteActor, route: t.string }, 'WriteOrigin')
export type WriteOrigin = t.TypeOf<typeof WriteOrigin>

/** One write that is asked for. The codecs of its row have decoded `path`, `query` and `body`. */
export const Command = t.type(
  {
    ...WriteOrigin.props,
    ...rights,
    path: t.record(t.string, t.string),
    query: t.UnknownRecord,
    body: t.unknown,
    /** What the door made ready for the row before it asked, such as a new key; null for most rows. */
    prepared: t.unknown,
    dryRun: t.boolean,
    /** The commit that a snapshot must have before the write is planned on it; null where any snapshot will do. */
    wants: t.union([CommitId, t.null]),
  },
  'Command',
)
export type Command = t.TypeOf<typeof Command>

/**
 * Plans a command: what it would change on a snapshot, or why it is refused. Pure; the gate plans again on each
 * snapshot that it commits to.
 */
export type PlanCommand = (
  command: Command,
  snapshot: Snapshot,
  nowMs: number,
) => Either<Refusal, ChangeSet<unknown>>

/** A write that stands, or the preview of one. `commit` is the one it made, HEAD where nothing changed. */
export interface Written {
  readonly status: number | null
  readonly body: unknown
  readonly commit: CommitId | null
}

/** The way through the gate: resolves when the write is on disk and served, or refused (A 4.1, D28). */
export type WritePort = (command: Command) => Promise<Either<Refusal, Written>>
