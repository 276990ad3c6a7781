import { nameKey } from '#protocol/atoms/name.js'
import { nameIndexOf } from '#src/domain/names/name-index.js'
import type { NameIndex, Resolution } from '#src/domain/names/resolution.js'
import { resolveName } from '#src/domain/names/resolve.js'
import { acceptance, fieldsAt, textAt, textsAt } from '#test/support/acceptance.js'
import { legacyEntities } from '#test/support/legacy/legacy-entities.js'
import type { Fields } from '#test/support/matching.js'

const indexOf = (input: Fields): NameIndex =>
  nameIndexOf(legacyEntities(textsAt(fieldsAt(input, 'index') ?? {}, 'entities')))

const holds = (names: NameIndex, text: string): boolean => {
  const key = nameKey(text)
  return names.exact.has(key) || names.alias.has(key) || names.generic.has(key)
}

const answer = (found: Resolution): Fields | null =>
  found.entity === null ? null : { name: found.entity.name, stage: '1' }

const askIndex = (input: Fields): unknown => {
  const names = indexOf(input)
  const query = textAt(input, 'query')
  if (query === null) {
    const [first = ''] = textsAt(input, 'lookup')
    const { candidates, ambiguous } = resolveName(names, first, { upTo: 'alias' })
    return {
      indexContains: textsAt(input, 'lookup').filter(text => holds(names, text)),
      entry: candidates.length === 0 ? null : { ambiguous },
    }
  }
  const found = answer(resolveName(names, query, { upTo: 'alias' }))
  return found === null
    ? null
    : { ...found, secondCall: answer(resolveName(names, query, { upTo: 'alias' })) }
}

const conditions = (input: Fields) => {
  const names = indexOf(input)
  return { indexHas: (text: string) => holds(names, text) }
}

const waits = (reason: string, ...ids: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(ids.map(id => [id, reason]))
const numberIds = (area: string, numbers: ReadonlyArray<number>): ReadonlyArray<string> =>
  numbers.map(one => `${area}-${String(one).padStart(3, '0')}`)

const fuzzy = 'the fuzzy stage comes with the names issue (D11)'
const declension = 'declension comes with the names issue (D11)'
const tokens = 'the index of single words comes with the names issue (D11)'

acceptance('names-resolve', {
  run: askIndex,
  conditions,
  deviations: {
    'names-resolve-005': {
      adr: 30,
      why: 'Resolving is a function of the index; no cache is part of it, a repeated question has the same answer.',
      instead: { name: 'Xeron Demonlord', secondCall: { name: 'Xeron Demonlord' } },
    },
    'names-resolve-012': {
      adr: 30,
      why: 'No cache keyed by name and filter exists; a filtered question is another question.',
      instead: { name: { $present: true } },
    },
  },
  pending: {
    ...waits(declension, 'names-resolve-003'),
    ...waits(fuzzy, ...numberIds('names-resolve', [7, 11, 17, 18, 31, 36])),
    ...waits(tokens, ...numberIds('names-resolve', [22, 23, 27])),
  },
})

acceptance('names-ambiguity', { run: askIndex })

acceptance('names-alternation', {
  run: () => null,
  pending: waits(
    'consonant alternation comes with the names issue (D11)',
    ...numberIds('names-alternation', [1, 2, 4, 5, 9, 12, 14, 15, 16, 17, 18]),
  ),
})

acceptance('names-stem', {
  run: () => null,
  pending: {
    ...waits(
      declension,
      ...numberIds('names-stem', [1, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 19, 20, 21, 22]),
    ),
    ...waits(fuzzy, ...numberIds('names-stem', [24, 25, 27, 29, 30, 31, 32, 33])),
  },
})
