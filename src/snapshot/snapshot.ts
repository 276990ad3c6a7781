import type { CommitId, Day, FurtherTree, NameKey } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import type { Entities } from '#src/domain/entities/entity.js'
import type { Bindings } from '#src/domain/identity/bindings.js'
import type { FleetKeys } from '#src/domain/identity/credentials/fleet-keys.js'
import type { RolesTable } from '#src/domain/identity/grade.js'
import type { Grants } from '#src/domain/identity/grants.js'
import type { Language } from '#src/domain/language/language.js'
import type { Ledger } from '#src/domain/ledger/calendar.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { Format, SourceFile } from '#src/domain/lore/layout.js'
import type { NameIndex } from '#src/domain/names/spelling-table.js'
import type { LanguageData } from '#src/domain/names/word-table.js'
import type { PlayersLedger } from '#src/domain/people/players.js'
import type { People } from '#src/domain/people/roster.js'
import type { CharacterFile } from '#src/domain/people/section-body.js'
import type { Batches } from '#src/domain/points/batches.js'
import type { Samples } from '#src/domain/samples/samples.js'
import type { TuningStore } from '#src/domain/samples/tuning-store.js'
import type { Moves } from '#src/domain/sessions/effects/moves.js'
import type { Payment } from '#src/domain/sessions/effects/overlay-state.js'
import type { CloseLedger, Sessions } from '#src/domain/sessions/session.js'
import type { LogArchive } from '#src/domain/transcripts/archive.js'

/**
 * The heads of the trees of `corpora.logi`, `corpora.adnotacje` and `corpora.probki`. One that is not configured, or
 * cannot be read now, has none. `commit` is null before the first commit, and for a plain folder, whose `id` is a hash
 * over its files.
 */
export type TreeHeads = ReadonlyMap<FurtherTree, { readonly commit: CommitId | null; readonly id: string }>

/**
 * The immutable view of the world that the node serves. It depends on one commit of the lore, one of the
 * works tree, the heads of further trees, the civil day, and the configuration of the host. `files` are the
 * committed texts by path (for `/entities/{name}/file`); everything else is parsed from them.
 */
export interface Snapshot {
  /** Grows by one with each publication and is never reused until the process restarts. */
  readonly generation: number
  /** Null for a plain directory without git. */
  readonly commit: CommitId | null
  /**
   * Identifies every input that all rows read (D10): lore, works and configuration. Equal inputs give an equal
   * text.
   */
  readonly inputs: string
  /** What a row reads that names trees (`reads`), beside `inputs`. A write to a tree is planned on its head here. */
  readonly treeHeads: TreeHeads
  readonly day: Day
  /**
   * The configuration that the host runs with. `files` may hold a newer version, which counts from the next
   * start, or a broken one.
   */
  readonly config: Config
  readonly format: Format
  readonly files: ReadonlyMap<string, SourceFile>
  readonly entities: Entities
  readonly names: NameIndex
  readonly language: Language
  /** Lemmas of ordinary words by the key of a form, as the sidecars of the annotation tree state them. */
  readonly annotatedLemmas: LanguageData['lemmas']
  /** The labelled samples of `corpora.adnotacje`; none on a reader thread. */
  readonly samples: Samples
  /** The fine-tuning samples of `corpora.probki`, without their texts; none on a reader thread. */
  readonly tuning: TuningStore
  readonly people: People
  /**
   * The people of the moderator repository `corpora.mc`, whose api keys count beside those of the store (A
   * 5.1).
   */
  readonly moderators: People
  readonly characterFiles: ReadonlyMap<NameKey, CharacterFile>
  readonly sessions: Sessions
  /** Which transcripts the archive has; their texts are in the transcript index. */
  readonly archive: LogArchive
  readonly closeLedger: CloseLedger
  /** The moves of money that no session states (`.svc/money/moves.jsonl`). */
  readonly moves: Moves
  /** What became of each Transfer of closed sessions and moves, by date. */
  readonly payments: ReadonlyArray<Payment>
  readonly batches: Batches
  readonly players: PlayersLedger
  readonly ledger: Ledger
  readonly roles: RolesTable
  readonly grants: Grants
  readonly bindings: Bindings
  readonly fleetKeys: FleetKeys
  /**
   * Paths of committed files that are not read because they are too large. A write must not treat them as
   * absent.
   */
  readonly leftOut: ReadonlySet<string>
  /** Findings of files that no area owns: unreadable, too large, not UTF-8, configuration. */
  readonly findings: ReadonlyArray<Finding>
}
