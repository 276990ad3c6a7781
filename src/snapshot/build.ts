import type { CommitId } from '#protocol/atoms/commit.js'
import type { Day } from '#protocol/atoms/day.js'
import type { NameKey } from '#protocol/atoms/name.js'
import type { Config } from '#protocol/config/keys.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { slicedEntities } from '#src/domain/entities/entities.js'
import type { Entities } from '#src/domain/entities/entity.js'
import type { IndexFile } from '#src/domain/entities/reading/index-file.js'
import { type Bindings, bindingsOf } from '#src/domain/identity/links/bindings.js'
import { type Grants, grantsOf } from '#src/domain/identity/rights/grants.js'
import type { RolesTable } from '#src/domain/identity/rights/roles.js'
import { rolesTableOf } from '#src/domain/identity/rights/roles-table.js'
import { type FleetKeys, fleetKeysOf } from '#src/domain/identity/tokens/fleet-keys.js'
import { ledgerOf } from '#src/domain/ledger/ledger-file.js'
import type { Ledger } from '#src/domain/ledger/transition.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { formatOf } from '#src/domain/lore/format.js'
import type { FileRole } from '#src/domain/lore/layout.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { nameIndexOf } from '#src/domain/names/name-index.js'
import type { NameIndex } from '#src/domain/names/resolution.js'
import type { CharacterFile } from '#src/domain/people/characters/character-file.js'
import type { People } from '#src/domain/people/person.js'
import { slicedContributorStore } from '#src/domain/people/store/contributor-store.js'
import type { Batches } from '#src/domain/points/batch.js'
import { slicedBatches } from '#src/domain/points/batches.js'
import { slicedCloseLedger } from '#src/domain/sessions/close-ledger.js'
import { type Overlaid, slicedOverlay } from '#src/domain/sessions/effects/overlay.js'
import { slicedMerge } from '#src/domain/sessions/merging/merge.js'
import type { CloseLedger, Sessions } from '#src/domain/sessions/session.js'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'
import type { ParsedFile } from './parsed-file.js'
import type { Snapshot } from './snapshot.js'
import { type Stage, slicedStage, stage } from './stage.js'

/** Everything a snapshot is a function of. `lore` comes sorted by path. */
export interface Inputs {
  readonly commit: CommitId | null
  readonly id: string
  readonly day: Day
  /** What the host is set to, the same for each load of one start. */
  readonly config: Config
  readonly lore: ReadonlyMap<string, ParsedFile>
  readonly works: { readonly corpus: Ledger['corpus']; readonly files: ReadonlyArray<SourceFile> }
  /** `kontrybutorzy.md` of the moderator repository, for api keys alone; null on a reader thread. */
  readonly moderators: SourceFile | null
  /** Paths of committed files that are not among `lore` because they are too large (D65); none on a reader thread. */
  readonly leftOut: ReadonlySet<string>
  readonly findings: ReadonlyArray<Finding>
}

/** The steps of a build, kept so that the next one repeats only those whose inputs changed. */
export interface Build {
  readonly snapshot: Snapshot
  readonly stages: {
    readonly people: Stage<People>
    readonly moderators: Stage<People>
    readonly entities: Stage<Entities>
    readonly names: Stage<NameIndex>
    readonly sessions: Stage<Sessions>
    readonly closeLedger: Stage<CloseLedger>
    readonly overlay: Stage<Overlaid>
    readonly overlaidNames: Stage<NameIndex>
    readonly characters: Stage<ReadonlyMap<NameKey, CharacterFile>>
    readonly batches: Stage<Batches>
    readonly ledger: Stage<Ledger>
    readonly roles: Stage<RolesTable>
    readonly grants: Stage<Grants>
    readonly bindings: Stage<Bindings>
    readonly fleetKeys: Stage<FleetKeys>
  }
}

interface Sorted {
  readonly index: ReadonlyArray<Extract<ParsedFile, { _tag: 'Index' }>>
  readonly characters: ReadonlyArray<Extract<ParsedFile, { _tag: 'Character' }>>
  readonly sessions: ReadonlyArray<Extract<ParsedFile, { _tag: 'Sessions' }>>
  readonly text: (role: FileRole) => SourceFile | null
}

const sorted = (lore: ReadonlyMap<string, ParsedFile>): Sorted => {
  const texts = new Map<FileRole, SourceFile>()
  const index: Array<Sorted['index'][number]> = []
  const characters: Array<Sorted['characters'][number]> = []
  const sessions: Array<Sorted['sessions'][number]> = []
  for (const file of lore.values())
    if (file._tag === 'Index') index.push(file)
    else if (file._tag === 'Character') characters.push(file)
    else if (file._tag === 'Sessions') sessions.push(file)
    else texts.set(file.role, file.source)
  return { index, characters, sessions, text: role => texts.get(role) ?? null }
}

const refsOf = perValue(
  (file: IndexFile): ReadonlyArray<string> =>
    file.blocks.flatMap(block => block.rows.filter(row => row.tag === 'ref').map(row => row.value)),
)

const stagesOf = function* (
  inputs: Inputs,
  files: Sorted,
  before: Build['stages'] | undefined,
): Sliced<Build['stages']> {
  const { index, characters, sessions, text } = files
  const fileAt = (path: string): SourceFile | null => inputs.lore.get(path)?.source ?? null
  const people = yield* slicedStage(before?.people, [text('contributors')], () =>
    slicedContributorStore(text('contributors')),
  )
  yield
  const moderators = yield* slicedStage(before?.moderators, [inputs.moderators], () =>
    slicedContributorStore(inputs.moderators),
  )
  yield
  // A block may take its rows from a file by @ref: the build depends on the files named, and on no other.
  const refs = [...new Set(index.flatMap(file => refsOf(file.index)))].map(fileAt)
  const entities = yield* slicedStage(before?.entities, [people.value, ...index, ...refs], () =>
    slicedEntities(
      index.map(file => file.index),
      { people: people.value, fileAt },
      before?.entities.value,
    ),
  )
  yield
  const names = stage(before?.names, [entities.value], () => nameIndexOf(entities.value))
  yield
  const merged = yield* slicedStage(before?.sessions, sessions, () =>
    slicedMerge(
      sessions.map(file => file.sessions),
      before?.sessions.value,
    ),
  )
  yield
  const closeLedger = yield* slicedStage(before?.closeLedger, [text('close-ledger')], () =>
    slicedCloseLedger(text('close-ledger')),
  )
  yield
  const overlay = yield* slicedStage(
    before?.overlay,
    [entities.value, names.value, merged.value, closeLedger.value],
    () => slicedOverlay(entities.value, names.value, merged.value, closeLedger.value, before?.overlay.value),
  )
  yield
  const overlaidNames = stage(before?.overlaidNames, [overlay.value.entities], () =>
    overlay.value.entities === entities.value ? names.value : nameIndexOf(overlay.value.entities),
  )
  yield
  const roles = stage(before?.roles, [text('roles')], () => rolesTableOf(text('roles')))
  yield
  const grants = stage(before?.grants, [text('grants')], () => grantsOf(text('grants')))
  yield
  const bindings = stage(before?.bindings, [text('bindings')], () => bindingsOf(text('bindings')))
  yield
  const fleetKeys = stage(before?.fleetKeys, [text('fleet-keys')], () => fleetKeysOf(text('fleet-keys')))
  yield
  const batches = yield* slicedStage(before?.batches, [text('batches')], () => slicedBatches(text('batches')))
  yield
  return {
    people,
    moderators,
    entities,
    names,
    sessions: merged,
    closeLedger,
    overlay,
    overlaidNames,
    characters: stage(
      before?.characters,
      characters,
      () => new Map(characters.map(file => [file.character.key, file.character])),
    ),
    batches,
    ledger: stage(before?.ledger, [inputs.works.corpus, ...inputs.works.files], () =>
      ledgerOf(inputs.works.files, inputs.works.corpus),
    ),
    roles,
    grants,
    bindings,
    fleetKeys,
  }
}

const sourcesOf = (lore: ReadonlyMap<string, ParsedFile>): ReadonlyMap<string, SourceFile> => {
  const sources = new Map<string, SourceFile>()
  for (const [path, file] of lore) sources.set(path, file.source)
  return sources
}

/**
 * Builds the snapshot of `inputs`, taking over from the build before whatever its inputs did not change. It may rest
 * between and within its stages, so that a large commit does not hold up the readers.
 */
export const slicedBuild = function* (inputs: Inputs, before: Build | null): Sliced<Build> {
  const files = sorted(inputs.lore)
  yield
  const stages = yield* stagesOf(inputs, files, before?.stages)
  yield
  const snapshot: Snapshot = {
    generation: (before?.snapshot.generation ?? 0) + 1,
    commit: inputs.commit,
    inputs: inputs.id,
    day: inputs.day,
    config: inputs.config,
    format: formatOf(files.text('format')),
    files: sourcesOf(inputs.lore),
    entities: stages.overlay.value.entities,
    names: stages.overlaidNames.value,
    people: stages.people.value,
    moderators: stages.moderators.value,
    characterFiles: stages.characters.value,
    sessions: stages.sessions.value,
    closeLedger: stages.closeLedger.value,
    batches: stages.batches.value,
    ledger: stages.ledger.value,
    roles: stages.roles.value,
    grants: stages.grants.value,
    bindings: stages.bindings.value,
    fleetKeys: stages.fleetKeys.value,
    leftOut: inputs.leftOut,
    findings: [...inputs.findings, ...stages.overlay.value.findings],
  }
  return { snapshot, stages }
}

/** The same at one go. */
export const build = (inputs: Inputs, before: Build | null): Build => atOnce(slicedBuild(inputs, before))
