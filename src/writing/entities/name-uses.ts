import { type EntityType, type NameKey, nameKey } from '#protocol/atoms.js'
import type { NameUse } from '#protocol/lore/entity-writes.js'
import type { UnresolvedName } from '#protocol/lore/session-writes.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { aliasKeys } from '#src/domain/entities/reading.js'
import { referenceOf } from '#src/domain/entities/references.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import { findLookAlikes, plainReadings } from '#src/domain/names/look-alike.js'
import { firstNames } from '#src/domain/names/name-index.js'
import { nearestNames, suggestType } from '#src/domain/names/nearest.js'
import {
  bareWordsOfKey,
  type PossibleForms,
  possibleForms,
  resolveName,
  resolveUpToForms,
  usualForms,
} from '#src/domain/names/resolve.js'
import type { NameIndex, Resolution } from '#src/domain/names/spelling-table.js'
import type { Batches } from '#src/domain/points/batches.js'
import type { Titles } from '#src/domain/polish/inflect.js'
import { recordsOfKey } from '#src/domain/sessions/effects/closed-sessions.js'
import type { Moves } from '#src/domain/sessions/effects/moves.js'
import {
  countFormUses,
  countNarratorUses,
  countSessionUses,
  type FormTest,
  type NameUser,
  type SessionUses,
  type UsedName,
} from '#src/domain/sessions/reading/mentions.js'
import { foldsByForm } from '#src/domain/sessions/reading/narrators.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { stagedSessions } from '#src/writing/sessions/section-lines.js'

/**
 * Everything else in the lore that bears or uses a name: blocks of any type with all their spellings, blocks of
 * which it is an inflected form, blocks with a name that looks like it, rows of `@należy_do`, narrator fields and
 * effects of sessions, staged ones too (D61), moves of money, blocks that closed sessions and moves mean by that
 * heading, PU awards, and a character file. Empty when `than` already bears the name, because then nothing changes
 * hands.
 */
export const usesOfName = (snapshot: Snapshot, name: string, than: Entity | null): ReadonlyArray<NameUse> => {
  const key = nameKey(name)
  if (than !== null && (than.key === key || aliasKeys(than).includes(key))) return []
  const bearers = bearersOf(snapshot.entities, key)
  const owners = ownersOfForms(snapshot, name, than).filter(one => !bearers.has(one))
  const others = new Set([...bearers, ...owners])
  const alike = ownersOfLookAlikes(snapshot, name, than).filter(one => !others.has(one))
  return [
    ...ofBlocks(name, 'block', bearers),
    ...ofBlocks(name, 'form', owners),
    ...ofBlocks(name, 'lookalike', new Set(alike)),
    ...dependentUses(snapshot, name, null, mayGain(snapshot.names, than)),
    ...toNameUses(name, 'file', snapshot.characterFiles.has(key) ? 1 : 0),
  ]
}

/**
 * Everything that would mean another block, or none, if `holder` lost a spelling. Empty when the block also
 * bears the name by its heading or by a row of another tag than `tag`. Character files are found by heading,
 * so they do not count.
 */
export const usesOfSpelling = (
  snapshot: Snapshot,
  holder: Entity,
  { tag, value }: { readonly tag: string; readonly value: string },
): ReadonlyArray<NameUse> => {
  const key = nameKey(value)
  const stays = holder.rows.some(
    row => row.tag !== tag && nameTags.has(row.tag) && nameKey(row.value) === key,
  )
  return stays || !aliasKeys(holder).includes(key)
    ? []
    : dependentUses(snapshot, value, holder, mayLose(snapshot.names, holder, key))
}

/** Uses of the names that a write gave, and names that it uses and that mean no block or several. */
export const unresolvedUses = (
  snapshot: Snapshot,
  given: ReadonlyArray<string>,
  than: Entity | null,
  used: ReadonlyArray<UnresolvedName> = [],
): ToldNames => {
  const uses = [...new Set(given)].flatMap(name => usesOfName(snapshot, name, than))
  return uses.length + used.length === 0 ? {} : { unresolved: [...uses, ...used] }
}

/**
 * Places, owners and groups among the values of a write that mean no block or several. The write stores them
 * anyway and reports them.
 */
export const unresolvedNames = (
  { entities, names, day }: Snapshot,
  type: EntityType,
  given: ReadonlyArray<GivenValue>,
): ReadonlyArray<UnresolvedName> => {
  let compared = 0
  return given.flatMap(({ tag, value, field }): ReadonlyArray<UnresolvedName> => {
    const found = referenceOf(entities, { type }, { tag, value }, day)
    if (found === null || found._tag === 'Known') return []
    if (found._tag === 'Ambiguous') {
      const { names: suggestions, more } = firstNames(found.candidates, one => one.name)
      return [{ field, name: value, why: 'ambiguous', suggestions, ...(more === 0 ? {} : { more }) }]
    }
    compared += 1
    const suggestions = compared > suggestedMax ? [] : nearestNames(names, value, suggestType(tag))
    return [{ field, name: value, why: 'unknown', suggestions }]
  })
}

/** How many blocks one use names; `count` covers all of them. */
const blocksMax = 20

const put = (map: Map<NameKey, Set<Entity>>, key: NameKey, entity: Entity): void => {
  const known = map.get(key)
  if (known === undefined) map.set(key, new Set([entity]))
  else known.add(entity)
}

/** Blocks by the owners that their `@należy_do` rows name, on any day. */
const ownedBy = perValue(({ all }: Entities): ReadonlyMap<NameKey, ReadonlySet<Entity>> => {
  const owned = new Map<NameKey, Set<Entity>>()
  for (const entity of all)
    for (const row of entity.rows) if (row.tag === 'należy_do') put(owned, nameKey(row.value), entity)
  return owned
})

const bearersOf = ({ byHeading, byAlias, byGeneric }: Entities, key: NameKey): ReadonlySet<Entity> =>
  new Set([byHeading, byAlias, byGeneric].flatMap(map => map.get(key) ?? []))

/** The confidence of a reading that no surer one can displace, by its stage (FORMATS 5.5). */
const surest: Partial<Readonly<Record<Resolution['stage'], number>>> = {
  alias: 0.9,
  declension: 0.9,
  alternation: 0.85,
}

const isDisplaceable = ({ stage, confidence }: Resolution): boolean =>
  stage === 'title' || stage === 'lemma' || confidence < (surest[stage] ?? 0)

/** What a text means that no block has as a written name, up to titles and lemmas; null when a block has it. */
const resolveAsForm = (names: NameIndex, text: string): Resolution | null => {
  const { found, isForm } = resolveUpToForms(names, text)
  if (found.stage === 'miss') return resolveName(names, text, { upTo: 'lemma' })
  return isForm ? found : null
}

/**
 * The other blocks that would lose a form to a block that got the name: those that the name means as a form now,
 * behind titles and by `lematy.tsv` too, and those that a usual form of the name means less surely than it would
 * mean the new bearer (D61).
 */
const ownersOfForms = ({ names }: Snapshot, name: string, than: Entity | null): ReadonlyArray<Entity> => {
  const meant = resolveAsForm(names, name)
  const displaced = usualForms(name)
    .map(form => resolveAsForm(names, form))
    .filter(one => one !== null && isDisplaceable(one))
  const owners = new Set([meant, ...displaced].flatMap(one => one?.candidates ?? []))
  return [...owners].filter(one => one !== than)
}

/**
 * The other blocks with a name that looks like the given one, or with a form or a computed alias that a name with
 * letters other than Polish ones looks like.
 */
const ownersOfLookAlikes = (snapshot: Snapshot, name: string, than: Entity | null): ReadonlyArray<Entity> => [
  ...findLookAlikes(snapshot.entities, name, than),
  ...plainReadings(name).flatMap(reading => ownersOfForms(snapshot, reading, than)),
]

const ofBlocks = (
  name: string,
  use: 'block' | 'form' | 'lookalike' | 'owner',
  blocks: Iterable<Entity>,
): ReadonlyArray<NameUse> => {
  const all = [...blocks]
  const shown = all.slice(0, blocksMax).map(one => ({ name: one.name, type: one.type }))
  return all.length === 0 ? [] : [{ name, use, count: all.length, blocks: shown }]
}

const toNameUses = (name: string, use: NameUse['use'], count: number): ReadonlyArray<NameUse> =>
  count === 0 ? [] : [{ name, use, count, blocks: [] }]

/** How many PU batches credit each name. */
const awarded = perValue(({ all }: Batches): ReadonlyMap<NameKey, number> => {
  const counts = new Map<NameKey, number>()
  for (const { awards } of all)
    for (const key of new Set(awards.map(one => nameKey(one.character))))
      counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
})

/** The moves of money as users of names: their sides count as those of the Transfers of a session. */
const usersOf = perValue(
  ({ all }: Moves): ReadonlyArray<NameUser> =>
    all.map(({ id, transfers }) => ({
      ...{ header: id, narrator: null, narrators: [], changes: [], points: [], intel: [], transfers },
    })),
)

/**
 * Uses of a name that would pass to another block bearing it: owned blocks, narrators, effects and awards.
 * Ignores blocks that are `than` itself.
 */
const dependentUses = (
  snapshot: Snapshot,
  name: string,
  than: Entity | null,
  changed: ChangedTexts,
): ReadonlyArray<NameUse> => {
  const key = nameKey(name)
  const { entities, sessions, batches, names } = snapshot
  const staged = stagedSessions(snapshot).map(one => one.session)
  const all: ReadonlyArray<NameUser> = [...sessions.all, ...staged, ...usersOf(snapshot.moves)]
  const { narrators, effects } = countSessionUses(all, key, recordsOfKey(snapshot, key).users)
  const byForm = countFormsChanged(names, all, name, changed)
  const owned = [...(ownedBy(entities).get(key) ?? [])].filter(one => one !== than)
  return [
    ...ofBlocks(name, 'owner', owned),
    ...toNameUses(name, 'narrator', narrators + byForm.narrators),
    ...toNameUses(name, 'effect', effects + byForm.effects),
    ...toNameUses(name, 'award', awarded(batches).get(key) ?? 0),
  ]
}

/** The part of an answer about names that do not mean exactly one block; absent when there are none. */
interface ToldNames {
  readonly unresolved?: ReadonlyArray<NameUse | UnresolvedName>
}

/** Whether a text that may be a form of a name means another block, or none, after the write. */
type IsChanged = (used: NameKey) => boolean

/** `IsChanged` of a name in an effect, and of one in a narrator field. */
interface ChangedTexts {
  readonly effect: IsChanged
  readonly narrator: IsChanged
}

/** The texts that may be forms of a name, those of `odmiany.tsv` included. */
const formsWithCorrections = ({ language }: NameIndex, name: string): PossibleForms => {
  const corrections = language.forms.get(nameKey(name)) ?? []
  return possibleForms(
    name,
    corrections.filter(one => !one.isForbidden).map(one => one.form),
  )
}

/**
 * A text that means no block may mean the new bearer of a name. One that means another block by a form or by a single
 * word of its names may become ambiguous, or mean none.
 */
const mayGainEffects =
  (names: NameIndex, than: Entity | null): IsChanged =>
  used => {
    const { found, isForm } = resolveUpToForms(names, used)
    return found.stage === 'miss' || (isForm && found.candidates.some(one => one !== than))
  }

/**
 * A text that means the holder by a form of the name `key` may mean another block, or none, without that name. So may
 * a word that the holder shares with one other block, and that therefore means neither.
 */
const mayLoseEffects = (names: NameIndex, holder: Entity, key: NameKey): IsChanged => {
  const others = [holder.key, ...aliasKeys(holder)].filter(one => one !== key)
  const within = (entity: Entity): boolean => entity !== holder
  let rest: ReadonlyArray<PossibleForms> | null = null
  return used => {
    const { found, isForm } = resolveUpToForms(names, used)
    if (found.stage !== 'miss') return isForm && found.candidates.includes(holder)
    if (resolveName(names, used, { upTo: 'alternation', within }).stage === 'miss') return false
    rest ??= others.map(one => formsWithCorrections(names, one))
    return !rest.some(forms => forms.has(used))
  }
}

/** What a narrator means by a form of a Postać; null where another stage decides. */
const resolveNarrator = (names: NameIndex, used: NameKey): Resolution | null => {
  if (!foldsByForm(used)) return null
  const written = resolveName(names, used, { types: ['Gracz', 'Postać'], upTo: 'alias' })
  if (written.stage !== 'miss') return null
  if (resolveName(names, used, { types: ['Gracz'], upTo: 'lemma' }).entity !== null) return null
  return resolveName(names, used, { types: ['Postać'], upTo: 'lemma', wholeNames: true })
}

/** What changes when `than`, or a new block where it is null, gets a name. */
const mayGain = (names: NameIndex, than: Entity | null): ChangedTexts => ({
  effect: mayGainEffects(names, than),
  narrator: used => {
    const found = resolveNarrator(names, used)
    return found !== null && (found.stage === 'miss' || found.candidates.some(one => one !== than))
  },
})

/** What changes when the holder loses the name `key`. */
const mayLose = (names: NameIndex, holder: Entity, key: NameKey): ChangedTexts => ({
  effect: mayLoseEffects(names, holder, key),
  narrator: used => resolveNarrator(names, used)?.candidates.includes(holder) === true,
})

/** The words of titles without Polish marks. */
const titleWords = perValue(
  (titles: Titles): ReadonlySet<string> => new Set([...titles.keys()].flatMap(bareWordsOfKey)),
)
const noTitles: Titles = new Map()

const titlesMax = 3

/** What is left of the words behind one, two and three titles. */
const behindTitles = (
  titles: ReadonlySet<string>,
  words: ReadonlyArray<string>,
): ReadonlyArray<ReadonlyArray<string>> => {
  const first = words.slice(0, titlesMax).findIndex(word => !titles.has(word))
  const count = first < 0 ? Math.min(words.length, titlesMax) : first
  return Array.from({ length: count }, (_, at) => words.slice(at + 1))
}

/** Which names in narrator fields may be forms of the name: also behind titles, and by `lematy.tsv`. */
const narratorTest = (names: NameIndex, name: string, forms: PossibleForms): FormTest => {
  const [key, { lemmas }] = [nameKey(name), names.language]
  const titles = titleWords(names.forms?.titles ?? noTitles)
  const isForm = ({ key: used, words }: UsedName): boolean =>
    forms.hasWords(words) ||
    behindTitles(titles, words).some(forms.hasWords) ||
    lemmas.get(used)?.some(lemma => nameKey(lemma) === key) === true
  return { starts: lemmas.size > 0 ? null : new Set([...titles, ...forms.starts]), isForm }
}

/** Counts the sessions with an effect, and with a narrator, that means another block or none after the write. */
const countFormsChanged = (
  names: NameIndex,
  sessions: ReadonlyArray<NameUser>,
  name: string,
  { effect, narrator }: ChangedTexts,
): SessionUses => {
  const [key, forms] = [nameKey(name), formsWithCorrections(names, name)]
  const effectTest: FormTest = { starts: forms.starts, isForm: used => forms.hasWords(used.words) }
  return {
    effects: countFormUses(sessions, key, effectTest, effect),
    narrators: countNarratorUses(sessions, key, narratorTest(names, name, forms), narrator),
  }
}

/** A value that a write gives to a tag, and the path of the value in the body. */
interface GivenValue {
  readonly tag: string
  readonly value: string
  readonly field: string
}

/** How many names of a request are compared with the index; further ones get no suggestions. */
const suggestedMax = 16
