import type { Either } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { CommitId } from '#protocol/atoms.js'
import type { Refusal, RefusalOf } from '#protocol/refusal.js'
import { TokenRef } from '#protocol/sign-in.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { PlainData } from '#src/domain/codecs/plain-data.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/**
 * Commands to the write gate, as values. The same command can come from HTTP, the chat, the command line or a
 * timer. Its codec accepts no function, so it can be compared, copied and replayed.
 */

/** The origin of a command. A bearer token is a secret: no log, record or answer may contain a command. */
export const Asker = t.union(
  [
    t.type({ _tag: t.literal('Bearer'), token: t.string }),
    t.type({ _tag: t.literal('Nobody') }),
    /** A person at the machine of the host, or the host itself. No commit can take away their right. */
    t.type({ _tag: t.literal('Host') }),
  ],
  'Asker',
)
export type Asker = t.TypeOf<typeof Asker>

const rights = {
  /** The id of the row whose capability the command needs. */
  row: t.string,
  asker: Asker,
  /** How far the caller held the capability when the command was made. */
  grade: t.keyof({ full: null, own: null, none: null }),
} as const

/** The right that a request claims. It may have ended by the time the gate plans the write. */
export const ClaimedRight = t.type(rights, 'ClaimedRight')
export type ClaimedRight = t.TypeOf<typeof ClaimedRight>

/**
 * Checks the right of an asker again. Returns the caller as the snapshot knows them, or the refusal; also
 * refuses where the capability was held in full and is now held only as `.own` (S30, ADR 1018). A null
 * snapshot means that HEAD cannot be read; the served snapshot decides then.
 */
export type Admit = (
  claimed: ClaimedRight,
  snapshot: Snapshot | null,
  nowMs: number,
) => Either<RefusalOf<'Unauthorized' | 'Forbidden'>, Caller>

/**
 * The person or program that makes a write. `name` is the Gracz, or the kind of the caller when there is
 * none.
 */
export const WriteActor = t.intersection([
  t.type({ name: t.string, gracz: t.union([t.string, t.null]), kind: t.string }),
  t.partial({ token: TokenRef }),
])
/** `token` is the named token of the request, if it had one. */
export type WriteActor = t.TypeOf<typeof WriteActor>

/** The origin of a commit. `route` is `POST /entities` or the name of a duty of the host. */
export const WriteOrigin = t.type({ actor: WriteActor, route: t.string }, 'WriteOrigin')
export type WriteOrigin = t.TypeOf<typeof WriteOrigin>

/** One requested write. The codecs of its row have decoded `path`, `query` and `body`. */
export const Command = t.type(
  {
    ...WriteOrigin.props,
    ...rights,
    path: t.record(t.string, t.string),
    query: t.record(t.string, PlainData),
    body: PlainData,
    /** A value that the HTTP layer prepared for the row, such as a new key; null for most rows. */
    prepared: PlainData,
    dryRun: t.boolean,
    /**
     * The commit that the snapshot must contain before the write is planned on it; null when any snapshot
     * will do.
     */
    wants: t.union([CommitId, t.null]),
  },
  'Command',
)
export type Command = t.TypeOf<typeof Command>

/**
 * Plans a command: returns the change set on a snapshot, or the refusal. Pure; the gate plans again on each
 * snapshot that it commits to.
 */
export type PlanCommand = (
  command: Command,
  snapshot: Snapshot,
  nowMs: number,
) => Either<Refusal, ChangeSet<unknown>>

/** A committed write, or the preview of one. `commit` is the new commit, or HEAD when nothing changed. */
export interface Written {
  readonly status: number | null
  readonly body: unknown
  readonly commit: CommitId | null
}

/**
 * Sends a command through the gate. Resolves when the write is on disk and served, or refused (A 4.1, D28).
 * `isCallerThere` says whether the caller still waits for the answer: the gate drops a write whose caller left
 * before it was planned. If absent, the caller waits for as long as the gate works on it.
 */
export type WritePort = (command: Command, isCallerThere?: () => boolean) => Promise<Either<Refusal, Written>>
