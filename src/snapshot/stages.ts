import type { NameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { IndexFile } from '#src/domain/entities/bound-findings.js'
import { buildEntitiesInSlices } from '#src/domain/entities/entities.js'
import type { Entities } from '#src/domain/entities/entity.js'
import { type Bindings, bindingsOf } from '#src/domain/identity/bindings.js'
import { type FleetKeys, fleetKeysOf } from '#src/domain/identity/credentials/fleet-keys.js'
import type { RolesTable } from '#src/domain/identity/grade.js'
import { type Grants, grantsOf } from '#src/domain/identity/grants.js'
import { rolesTableOf } from '#src/domain/identity/roles.js'
import {
  type FormLines,
  joinLanguage,
  type Language,
  type LanguageFiles,
  type LemmaLines,
  readFormsInSlices,
  readLemmasInSlices,
  readTitlesInSlices,
  type TitleLines,
} from '#src/domain/language/language.js'
import type { Ledger } from '#src/domain/ledger/calendar.js'
import { ledgerOf } from '#src/domain/ledger/ledger-file.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { buildSnapshotNamesInSlices } from '#src/domain/names/name-index.js'
import type { NameIndex } from '#src/domain/names/spelling-table.js'
import { parseContributorStoreInSlices } from '#src/domain/people/contributor-store.js'
import { type PlayersLedger, readPlayersLedgerInSlices } from '#src/domain/people/players.js'
import type { People } from '#src/domain/people/roster.js'
import type { CharacterFile } from '#src/domain/people/section-body.js'
import { type Batches, parseBatchesInSlices } from '#src/domain/points/batches.js'
import { parseCloseLedgerInSlices } from '#src/domain/sessions/effects/closed-sessions.js'
import { type Moves, parseMovesInSlices } from '#src/domain/sessions/effects/moves.js'
import { buildOverlayInSlices, type Overlaid } from '#src/domain/sessions/effects/overlay.js'
import { mergeSessionsInSlices } from '#src/domain/sessions/merge.js'
import type { CloseLedger, Sessions } from '#src/domain/sessions/session.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { ParsedFile } from './parsed-file.js'
import type { SortedLore } from './sorted-lore.js'

export interface StageFiles {
  readonly lore: ReadonlyMap<string, ParsedFile>
  readonly works: { readonly corpus: Ledger['corpus']; readonly files: ReadonlyArray<SourceFile> }
  /** `kontrybutorzy.md` of the moderator repository, read for api keys only; null on a reader thread. */
  readonly moderators: SourceFile | null
  /** Files of `corpora.lang`; null where that key is empty, and then the lore has them in `jezyk/`. */
  readonly language: LanguageFiles | null
  /** Lemmas of ordinary words that sidecars state, in the form of `lematy.tsv`; absent and null: none. */
  readonly lexicon?: SourceFile | null
  /** The labelled samples of the annotation tree, and its classes; absent: none, as on a reader thread. */
  readonly samples?: ReadonlyArray<SourceFile>
}

export interface Stages
  extends LexiconStages,
    PeopleStages,
    LanguageStages,
    EntityStages,
    SessionStages,
    RightsStages,
    RecordStages {}

/**
 * Runs every stage whose inputs changed and reuses the results of the others. Yields between and within
 * stages.
 */
export const buildStages = function* (
  files: StageFiles,
  sorted: SortedLore,
  before: Stages | undefined,
): Sliced<Stages> {
  const people = yield* buildPeople(files, sorted, before)
  yield
  const language = yield* buildLanguage(
    files.language ?? {
      forms: sorted.text('language-forms'),
      titles: sorted.text('language-titles'),
      lemmas: sorted.text('language-lemmas'),
    },
    before,
  )
  yield
  const entities = yield* buildEntities(files, sorted, { ...people, ...language }, before)
  yield
  const sessions = yield* buildSessions(sorted, entities, before)
  yield
  const rights = yield* buildRights(sorted, before)
  yield
  const records = yield* buildRecords(files, sorted, before)
  yield
  const lexicon = yield* buildStageInSlices(before?.lexicon, [files.lexicon ?? null], function* () {
    return (yield* readLemmasInSlices(files.lexicon ?? null)).lemmas
  })
  return { ...people, ...language, lexicon, ...entities, ...sessions, ...rights, ...records }
}

interface PeopleStages {
  readonly people: Stage<People>
  readonly moderators: Stage<People>
}

interface EntityStages {
  readonly entities: Stage<Entities>
  readonly names: Stage<NameIndex>
}

interface SessionStages {
  readonly sessions: Stage<Sessions>
  readonly closeLedger: Stage<CloseLedger>
  readonly moves: Stage<Moves>
  readonly overlay: Stage<Overlaid>
  readonly overlaidNames: Stage<NameIndex>
}

interface RightsStages {
  readonly roles: Stage<RolesTable>
  readonly grants: Stage<Grants>
  readonly bindings: Stage<Bindings>
  readonly fleetKeys: Stage<FleetKeys>
}

interface RecordStages {
  readonly characters: Stage<ReadonlyMap<NameKey, CharacterFile>>
  readonly batches: Stage<Batches>
  readonly players: Stage<PlayersLedger>
  readonly ledger: Stage<Ledger>
}

interface LexiconStages {
  readonly lexicon: Stage<LemmaLines['lemmas']>
}

const refsOf = perValue(
  (file: IndexFile): ReadonlyArray<string> =>
    file.blocks.flatMap(block => block.rows.filter(row => row.tag === 'ref').map(row => row.value)),
)

const buildPeople = function* (
  { moderators }: StageFiles,
  { text }: SortedLore,
  before: PeopleStages | undefined,
): Sliced<PeopleStages> {
  const people = yield* buildStageInSlices(before?.people, [text('contributors')], () =>
    parseContributorStoreInSlices(text('contributors')),
  )
  yield
  return {
    people,
    moderators: yield* buildStageInSlices(before?.moderators, [moderators], () =>
      parseContributorStoreInSlices(moderators),
    ),
  }
}

const buildEntities = function* (
  { lore }: StageFiles,
  { index }: SortedLore,
  { people, language }: PeopleStages & LanguageStages,
  before: EntityStages | undefined,
): Sliced<EntityStages> {
  const fileAt = (path: string): SourceFile | null => lore.get(path)?.source ?? null
  // `@ref` takes the rows of a block from a file, so this stage depends on the files named there and on no
  // others.
  const refs = [...new Set(index.flatMap(file => refsOf(file.index)))].map(fileAt)
  const entities = yield* buildStageInSlices(before?.entities, [people.value, ...index, ...refs], () =>
    buildEntitiesInSlices(
      index.map(file => file.index),
      { people: people.value, fileAt },
      before?.entities.value,
    ),
  )
  yield
  const { data } = language.value
  const names = yield* buildStageInSlices(before?.names, [entities.value, data], () =>
    buildSnapshotNamesInSlices(entities.value, data, before?.names.value ?? null),
  )
  return { entities, names }
}

const buildSessions = function* (
  { sessions: files, text }: SortedLore,
  { entities, names }: EntityStages,
  before: SessionStages | undefined,
): Sliced<SessionStages> {
  const sessions = yield* buildStageInSlices(before?.sessions, files, () =>
    mergeSessionsInSlices(
      files.map(file => file.sessions),
      before?.sessions.value,
    ),
  )
  yield
  const closeLedger = yield* buildStageInSlices(before?.closeLedger, [text('close-ledger')], () =>
    parseCloseLedgerInSlices(text('close-ledger'), before?.closeLedger.value),
  )
  yield
  const moves = yield* buildStageInSlices(before?.moves, [text('moves')], () =>
    parseMovesInSlices(text('moves')),
  )
  yield
  const overlay = yield* buildStageInSlices(
    before?.overlay,
    [entities.value, names.value, sessions.value, closeLedger.value, moves.value],
    () =>
      buildOverlayInSlices(
        entities.value,
        names.value,
        sessions.value,
        closeLedger.value,
        before?.overlay.value,
        moves.value,
      ),
  )
  yield
  const state = overlay.value.entities
  const overlaidNames = yield* buildStageInSlices(before?.overlaidNames, [state, names.value], function* () {
    if (state === entities.value) return names.value
    // The names before have the forms of the same spellings, and mostly the same spellings too.
    const last = before?.overlaidNames.value
    const isOfTable =
      last !== undefined && last.forms !== null && last.forms.table === names.value.forms?.table
    return yield* buildSnapshotNamesInSlices(state, names.value.language, isOfTable ? last : names.value)
  })
  return { sessions, closeLedger, moves, overlay, overlaidNames }
}

const buildRights = function* ({ text }: SortedLore, before: RightsStages | undefined): Sliced<RightsStages> {
  const roles = buildStage(before?.roles, [text('roles')], () => rolesTableOf(text('roles')))
  yield
  const grants = buildStage(before?.grants, [text('grants')], () => grantsOf(text('grants')))
  yield
  const bindings = buildStage(before?.bindings, [text('bindings')], () => bindingsOf(text('bindings')))
  yield
  const fleetKeys = buildStage(before?.fleetKeys, [text('fleet-keys')], () => fleetKeysOf(text('fleet-keys')))
  return { roles, grants, bindings, fleetKeys }
}

const buildRecords = function* (
  { works }: StageFiles,
  { characters, text }: SortedLore,
  before: RecordStages | undefined,
): Sliced<RecordStages> {
  const batches = yield* buildStageInSlices(before?.batches, [text('batches')], () =>
    parseBatchesInSlices(text('batches')),
  )
  yield
  const players = yield* buildStageInSlices(before?.players, [text('players-ledger')], () =>
    readPlayersLedgerInSlices(text('players-ledger')),
  )
  yield
  return {
    batches,
    players,
    characters: buildStage(
      before?.characters,
      characters,
      () => new Map(characters.map(file => [file.character.key, file.character])),
    ),
    ledger: buildStage(before?.ledger, [works.corpus, ...works.files], () =>
      ledgerOf(works.files, works.corpus),
    ),
  }
}

interface LanguageStages {
  readonly languageForms: Stage<FormLines>
  readonly languageTitles: Stage<TitleLines>
  readonly languageLemmas: Stage<LemmaLines>
  readonly language: Stage<Language>
}

/** The stages of the language data: each file is parsed again only if it changed. */
const buildLanguage = function* (
  files: LanguageFiles,
  before: LanguageStages | undefined,
): Sliced<LanguageStages> {
  const forms = yield* buildStageInSlices(before?.languageForms, [files.forms], () =>
    readFormsInSlices(files.forms),
  )
  yield
  const titles = yield* buildStageInSlices(before?.languageTitles, [files.titles], () =>
    readTitlesInSlices(files.titles),
  )
  yield
  const lemmas = yield* buildStageInSlices(before?.languageLemmas, [files.lemmas], () =>
    readLemmasInSlices(files.lemmas),
  )
  const language = buildStage(before?.language, [files.forms, forms.value, titles.value, lemmas.value], () =>
    joinLanguage(files.forms, forms.value, titles.value, lemmas.value),
  )
  return { languageForms: forms, languageTitles: titles, languageLemmas: lemmas, language }
}

/** The result of a build step with the inputs that it was made from. */
interface Stage<A> {
  readonly inputs: ReadonlyArray<unknown>
  readonly value: A
}

const same = (left: ReadonlyArray<unknown>, right: ReadonlyArray<unknown>): boolean =>
  left.length === right.length && left.every((input, at) => input === right[at])

/**
 * Returns the stage `before` when every input is the same object, and runs `build` otherwise, so a commit
 * costs only what it changed.
 */
const buildStage = <A>(
  before: Stage<A> | undefined,
  inputs: ReadonlyArray<unknown>,
  build: () => A,
): Stage<A> => (before !== undefined && same(before.inputs, inputs) ? before : { inputs, value: build() })

/** `buildStage` for a build that yields. */
const buildStageInSlices = function* <A>(
  before: Stage<A> | undefined,
  inputs: ReadonlyArray<unknown>,
  build: () => Sliced<A>,
): Sliced<Stage<A>> {
  if (before !== undefined && same(before.inputs, inputs)) return before
  return { inputs, value: yield* build() }
}
