import type { CommitId } from '#protocol/atoms/commit.js'
import type { Day } from '#protocol/atoms/day.js'
import type { NameKey } from '#protocol/atoms/name.js'
import type { Config } from '#protocol/config/keys.js'
import type { Entities } from '#src/domain/entities/entity.js'
import type { Bindings } from '#src/domain/identity/links/bindings.js'
import type { Grants } from '#src/domain/identity/rights/grants.js'
import type { RolesTable } from '#src/domain/identity/rights/roles.js'
import type { FleetKeys } from '#src/domain/identity/tokens/fleet-keys.js'
import type { Ledger } from '#src/domain/ledger/transition.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { Format } from '#src/domain/lore/format.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import type { NameIndex } from '#src/domain/names/resolution.js'
import type { CharacterFile } from '#src/domain/people/characters/character-file.js'
import type { People } from '#src/domain/people/person.js'
import type { Batches } from '#src/domain/points/batch.js'
import type { CloseLedger, Sessions } from '#src/domain/sessions/session.js'

/**
 * What the node knows, an immutable value: a function of one commit of the lore, one of the works tree, the civil day,
 * and the configuration of the host.
 * `files` are the committed texts by path (for `/entities/{name}/file`); everything else is parsed from them.
 */
export interface Snapshot {
  /** +1 at each publication; never reused in one boot. */
  readonly generation: number
  /** Null on a plain directory without git. */
  readonly commit: CommitId | null
  /** The id of every input a row reads (D10): lore, works and configuration; the same inputs give the same text. */
  readonly inputs: string
  readonly day: Day
  /** What the host is set to. `files` may hold another version, which counts from the next start, or a broken one. */
  readonly config: Config
  readonly format: Format
  readonly files: ReadonlyMap<string, SourceFile>
  readonly entities: Entities
  readonly names: NameIndex
  readonly people: People
  /** The moderator roster of `corpora.mc`: whose api keys there are beside those of the store (A 5.1). */
  readonly moderators: People
  readonly characterFiles: ReadonlyMap<NameKey, CharacterFile>
  readonly sessions: Sessions
  readonly closeLedger: CloseLedger
  readonly batches: Batches
  readonly ledger: Ledger
  readonly roles: RolesTable
  readonly grants: Grants
  readonly bindings: Bindings
  readonly fleetKeys: FleetKeys
  /** Paths of committed files that are not read because they are too large: no write may take them for absent. */
  readonly leftOut: ReadonlySet<string>
  /** Findings of files that no area owns: unreadable, too large, not UTF-8, configuration. */
  readonly findings: ReadonlyArray<Finding>
}
