import { nameKey } from '#protocol/atoms.js'
import { makeNearSpellings, spellingDistance } from '#src/domain/names/near-spellings.js'
import { resolveName } from '#src/domain/names/resolve.js'
import { tokenOwnersInSlices } from '#src/domain/names/search-entities.js'
import type { NameIndex, Resolution, ResolutionStage } from '#src/domain/names/spelling-table.js'
import { emptyLanguage } from '#src/domain/names/word-table.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { acceptance, fieldsAt, readSharedText, textAt, textsAt } from '#test/support/acceptance.js'
import { buildNameIndex } from '#test/support/at-once.js'
import { legacyEntities } from '#test/support/legacy/legacy-entities.js'
import { type Fields, isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'

const entitiesOf = (input: Fields) => legacyEntities(textsAt(fieldsAt(input, 'index') ?? {}, 'entities'))

const indexOf = (input: Fields): NameIndex => buildNameIndex(entitiesOf(input), emptyLanguage, null)

const holds = (names: NameIndex, text: string): boolean => {
  const key = nameKey(text)
  return names.exact.has(key) || names.alias.has(key) || names.generic.has(key)
}

/** The predecessor's numbers of stages. */
const stageNumbers: Readonly<Partial<Record<ResolutionStage, string>>> = {
  exact: '1',
  alias: '1',
  declension: '2',
  alternation: '2b',
  fuzzy: '3',
}

const answer = (found: Resolution): Fields | null =>
  found.entity === null ? null : { name: found.entity.name, stage: stageNumbers[found.stage] ?? found.stage }

const askFuzzy = (keys: ReadonlyArray<string>, query: string, threshold: number): Fields => {
  const spellings = makeNearSpellings()
  for (const key of keys) spellings.add(nameKey(key))
  const near = new Set<string>()
  for (const one of spellings.near(nameKey(query), threshold)) if (typeof one !== 'number') near.add(one.key)
  const found = keys.filter(key => near.has(nameKey(key)))
  return { keys: found, count: found.length }
}

const numberAt = (input: Fields, field: string): number => Number(input[field])

const askIndex = (input: Fields): unknown => {
  const names = indexOf(input)
  const fuzzy = fieldsAt(input, 'fuzzy')
  if (fuzzy !== null)
    return askFuzzy(
      [...names.exact.keys(), ...names.alias.keys()],
      textAt(fuzzy, 'query') ?? '',
      numberAt(fuzzy, 'threshold'),
    )
  const query = textAt(input, 'query')
  if (query === null) {
    const [first = ''] = textsAt(input, 'lookup')
    const owners = atOnce(tokenOwnersInSlices(entitiesOf(input), first))
    const [owner] = owners?.owners ?? []
    return {
      indexContains: textsAt(input, 'lookup').filter(text => holds(names, text)),
      entry: owners === null ? null : { ambiguous: owners.ambiguous, priority: owner?.priority },
    }
  }
  const found = answer(resolveName(names, query, { upTo: 'fuzzy' }))
  return found === null
    ? null
    : { ...found, secondCall: answer(resolveName(names, query, { upTo: 'fuzzy' })) }
}

const conditions = (input: Fields) => {
  const names = indexOf(input)
  return { indexHas: (text: string) => holds(names, text) }
}

acceptance('names-resolve', {
  run: askIndex,
  conditions,
  deviations: {
    'names-resolve-005': {
      adr: 1032,
      why: 'Resolving is a function of the index; no cache is part of it, a repeated question has the same answer.',
      instead: { name: 'Xeron Demonlord', secondCall: { name: 'Xeron Demonlord' } },
    },
    'names-resolve-012': {
      adr: 1032,
      why: 'No cache keyed by name and filter exists; a filtered question is another question.',
      instead: { name: { $present: true } },
    },
    'names-resolve-031': {
      adr: 1032,
      why: 'Near spellings are found by their parts; no BK-tree is part of the index.',
    },
  },
})

acceptance('names-ambiguity', { run: askIndex })

/** An index of one block. */
const indexWith = (name: string): NameIndex =>
  worldOf({ 'encje/indeks.md': `### ${name}\n- @typ: NPC\n` }).names

/** How an index of one block resolves the text, fuzzy matches aside. */
const stageIn = (name: string, text: string): ResolutionStage =>
  resolveName(indexWith(name), text, { upTo: 'alternation' }).stage

/** What the predecessor found, by case: its stems and candidates are the blocks that are asked about. */
const expectedOf = (file: string, id: string): Fields => {
  const cases: unknown = JSON.parse(readSharedText(`eval/cases/${file}.json`) ?? '[]')
  const all: ReadonlyArray<unknown> = Array.isArray(cases) ? cases : []
  const found = all.find(one => isFields(one) && one['id'] === id)
  return isFields(found) ? (fieldsAt(found, 'expected') ?? {}) : {}
}

const candidatesIn = (expected: Fields): ReadonlyArray<string> => {
  const listed = fieldsAt(expected, 'candidates')
  return listed === null ? textsAt(expected, 'candidates') : textsAt(listed, '$contains')
}

acceptance('names-alternation', {
  // Each expected candidate is asked about, and the text itself, which no alternation leads to.
  run: (input, id) => {
    const text = textAt(input, 'text') ?? ''
    const asked = [...candidatesIn(expectedOf('names-alternation', id)), text]
    const forms: ReadonlyArray<ResolutionStage> = ['declension', 'alternation']
    return { candidates: asked.filter(name => forms.includes(stageIn(name, text))) }
  },
})

const grammar = (form: string, right: string): string =>
  `${form} is no form of a masculine Testor (it is ${right}); the predecessor cuts any suffix off any word.`

acceptance('names-stem', {
  run: (input, id) => {
    const distance = fieldsAt(input, 'levenshtein')
    if (distance !== null) {
      const [source, target] = [textAt(distance, 'source') ?? '', textAt(distance, 'target') ?? '']
      return { distance: spellingDistance(nameKey(source), nameKey(target), 9) }
    }
    const fuzzy = fieldsAt(input, 'fuzzyKeys')
    if (fuzzy !== null)
      return askFuzzy(textsAt(fuzzy, 'keys'), textAt(fuzzy, 'query') ?? '', numberAt(fuzzy, 'threshold'))
    const stem = textAt(expectedOf('names-stem', id), 'stem') ?? ''
    return { stem: stageIn(stem, textAt(input, 'text') ?? '') === 'miss' ? null : stem }
  },
  deviations: {
    'names-stem-012': { adr: 1032, why: grammar('Testoriem', 'Testorem'), instead: { stem: null } },
    'names-stem-015': { adr: 1032, why: grammar('Testorą', 'Testorem'), instead: { stem: null } },
    'names-stem-016': { adr: 1032, why: grammar('Testorę', 'Testora'), instead: { stem: null } },
    'names-stem-017': { adr: 1032, why: grammar('Testorie', 'Testorze'), instead: { stem: null } },
  },
})
