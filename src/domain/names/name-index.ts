import { type NameKey, nameCharsMax, nameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entities, Owners } from '#src/domain/entities/entity.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { titleForms } from '#src/domain/polish/inflect.js'
import { type Sliced } from '#src/domain/slicing/sliced.js'
import { makeSpellingTable, type NameForms, type NameIndex, type SpellingTable } from './spelling-table.js'
import { correctionsInSlices, emptyLanguage, type LanguageData, splitName } from './word-table.js'

/**
 * Builds the index of every spelling of every block with all forms. With the index `before` only new spellings cost
 * work. Above the budget it has no forms, and a finding that says so. Yields every few milliseconds.
 */
export const buildNameIndexInSlices = (
  entities: Entities,
  language: LanguageData,
  before: NameIndex | null,
  budget: NamesBudget = defaultBudget,
): Sliced<NameIndex> => buildIndex(entities, language, before, { budget, mayPostpone: false })

/**
 * `buildNameIndexInSlices` for a snapshot. A host reaches its first snapshot without the forms of up to 40,000
 * spellings: the first read makes them, or `fillNameForms` before it.
 */
export const buildSnapshotNamesInSlices = (
  entities: Entities,
  language: LanguageData,
  before: NameIndex | null,
): Sliced<NameIndex> => buildIndex(entities, language, before, { budget: defaultBudget, mayPostpone: true })

/** Whether the index has all its forms, so that no read has to make them. */
export const hasNameForms = ({ forms }: NameIndex): boolean => forms === null || forms.table.isFilled()

/** Makes the forms of an index that no read has made yet. Several runs at once share the work. */
export const fillNameForms = function* ({ forms }: NameIndex): Sliced<void> {
  if (forms !== null) yield* forms.table.fillInSlices()
}

/**
 * The index of a snapshot's entities. Of entities that no index was built for, such as a state in the middle of a
 * close, it has no forms: those resolve by heading and alias alone.
 */
export const nameIndexOf = (entities: Entities): NameIndex => known.get(entities) ?? withoutForms(entities)

/** The index of entities that was built, else a new one without language data. */
export const ensureNameIndexInSlices = function* (entities: Entities): Sliced<NameIndex> {
  return known.get(entities) ?? (yield* buildNameIndexInSlices(entities, emptyLanguage, null))
}

/** The names of the first of `all`, which may be every block of a world whose blocks share one alias. */
export const firstNames = <A>(all: ReadonlyArray<A>, nameOf: (one: A) => string): FirstNames => ({
  names: all.slice(0, namesToldMax).map(nameOf),
  more: Math.max(0, all.length - namesToldMax),
})

/** The sentence about names that are not listed; empty when all are. */
export const andMore = ({ more }: FirstNames): string => (more === 0 ? '' : ` ${more} more are not listed.`)

/** How much may have forms: distinct words, and words of all names together. */
interface NamesBudget {
  readonly distinctMax: number
  readonly wordsMax: number
}

const defaultBudget: NamesBudget = { distinctMax: 150_000, wordsMax: 1_500_000 }

type OwnerMaps = Pick<NameIndex, 'exact' | 'alias' | 'generic'>

const ownersIn = ({ exact, alias, generic }: OwnerMaps): ReadonlyArray<Owners> => [exact, alias, generic]

const spellingCount = (maps: OwnerMaps): number => ownersIn(maps).reduce((count, { size }) => count + size, 0)

/** The keys that `after` may have and `before` not: of a map with the same base only its changes are listed. */
const listChangedKeys = (after: Owners, before: Owners | undefined): Iterable<NameKey> =>
  before !== undefined && before.base === after.base ? after.changes.keys() : after.keys()

const keysPerSlice = 256

/** Whether the names of the maps have more words than the budget allows. Looks at no grammar, so it is quick. */
const isAboveBudget = function* (maps: OwnerMaps, { distinctMax, wordsMax }: NamesBudget): Sliced<boolean> {
  const distinct = new Set<string>()
  let [words, keys] = [0, 0]
  for (const owners of ownersIn(maps))
    for (const key of owners.keys()) {
      for (const word of key.length > nameCharsMax ? [] : splitName(key)) {
        distinct.add(word)
        words += 1
      }
      keys += 1
      if (keys % keysPerSlice === 0) yield
      if (distinct.size > distinctMax || words > wordsMax) return true
    }
  return false
}

/**
 * Adds the keys that `before` may not have, without names too long to be asked for; `makeForms` is
 * false where the first read makes them.
 */
const addInSlices = function* (
  table: SpellingTable,
  maps: OwnerMaps,
  before: NameIndex | null,
  makeForms: boolean,
): Sliced<void> {
  let keys = 0
  for (const [at, owners] of ownersIn(maps).entries())
    for (const key of listChangedKeys(owners, before === null ? undefined : ownersIn(before)[at])) {
      if (key.length <= nameCharsMax) table.postpone(key)
      keys += 1
      if (keys % keysPerSlice === 0) yield
    }
  if (makeForms) yield* table.fillInSlices()
}

/** How many spellings of blocks that are gone a table may hold for each that is there, and how many in any case. */
const stale = { share: 1, free: 2_000 }

/** Whether a table holds so many names of the past, or so many words, that it must be built from scratch. */
const isWorn = (table: SpellingTable, maps: OwnerMaps, { distinctMax }: NamesBudget): boolean =>
  table.size() > spellingCount(maps) * (1 + stale.share) + stale.free ||
  (table.isFilled() && table.words.size() > distinctMax)

/** Up to so many spellings the first read may make all forms, which takes a second at most. */
const postponedMax = 40_000

/** How an index is built. */
interface Building {
  readonly budget: NamesBudget
  /** Leaves the forms of a first index to the first read, where there are few enough. */
  readonly mayPostpone: boolean
}

const buildForms = function* (
  maps: OwnerMaps,
  language: LanguageData,
  before: NameIndex | null,
  { budget, mayPostpone }: Building,
): Sliced<NameForms | null> {
  const corrections = yield* correctionsInSlices(language)
  const isPostponed = mayPostpone && spellingCount(maps) <= postponedMax
  const last = before?.language.titles === language.titles ? before.forms : null
  if (last !== null && !isWorn(last.table, maps, budget)) {
    yield* addInSlices(last.table, maps, before, !isPostponed || last.table.isFilled())
    if (!isWorn(last.table, maps, budget)) return { ...last, corrections }
  }
  if (yield* isAboveBudget(maps, budget)) return null
  const titles = titleForms(language.titles.map(nameKey))
  const table = makeSpellingTable(titles)
  yield* addInSlices(table, maps, null, !isPostponed)
  return { table, titles, corrections }
}

const aboveBudget = (entities: Entities, { distinctMax, wordsMax }: NamesBudget): ReadonlyArray<Finding> => {
  const first = entities.all[0]
  if (first === undefined) return []
  return [
    {
      kind: 'NamesAboveBudget',
      severity: 'warning',
      file: first.file,
      line: null,
      subject: null,
      reason:
        `Nazwy bloków mają ponad ${distinctMax} różnych słów albo ponad ${wordsMax} słów razem, ` +
        'więc ich odmienione formy nie są rozpoznawane.',
      suggestion: 'Usuń zbędne bloki i aliasy; nagłówki i aliasy zapisane wprost działają nadal.',
    },
  ]
}

const known = new WeakMap<Entities, NameIndex>()

const buildIndex = function* (
  entities: Entities,
  language: LanguageData,
  before: NameIndex | null,
  how: Building,
): Sliced<NameIndex> {
  const maps: OwnerMaps = { exact: entities.byHeading, alias: entities.byAlias, generic: entities.byGeneric }
  const forms = yield* buildForms(maps, language, before, how)
  const findings = forms === null ? aboveBudget(entities, how.budget) : []
  const index: NameIndex = { ...maps, forms, language, findings }
  known.set(entities, index)
  return index
}

const withoutForms = perValue(
  (entities: Entities): NameIndex => ({
    exact: entities.byHeading,
    alias: entities.byAlias,
    generic: entities.byGeneric,
    forms: null,
    language: emptyLanguage,
    findings: [],
  }),
)

/** How many of the blocks that a name may mean are listed in an answer; of the others it gives the number. */
const namesToldMax = 20

/** The first names, and how many more there are. */
interface FirstNames {
  readonly names: ReadonlyArray<string>
  readonly more: number
}
