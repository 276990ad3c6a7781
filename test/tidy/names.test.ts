import { deepEqual, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { exportsOf, isParticipleName, topFunctionsOf } from './participles.js'
import { sources } from './sources.js'

/** Participles that are adjectives of the vocabulary: each may stand before its noun, as in `namedToken`. */
const adjectives: Readonly<Record<string, string>> = {
  closed: 'a closed session or file is a state of the lore',
  known: 'the form `known` of an identity: one that the committed store names',
  missing: 'the side of a transfer, the chat account of a person',
  named: 'a named token is a kind of token',
  signed: 'a signed text or commit is one with a signature',
  staged: 'a staged session waits outside of its file',
}

/** Names that stay as they are, each with the reason. */
const exceptions: Readonly<Record<string, string>> = {}

/** Exported names that several files have, each with the reason. */
const homonyms: Readonly<Record<string, string>> = {
  Effect: 'what an actor wants done: each actor has its own',
  State: 'what an actor remembers: each actor has its own',
  mochaHooks: 'mocha looks for this name in each file that it is told to load first',
}

const known = new Set(Object.keys(adjectives))
const found = sources.flatMap(source =>
  topFunctionsOf(source)
    .filter(({ name }) => isParticipleName(name, known))
    .map(({ name, line }) => ({ name, at: `${source.path}:${line}` })),
)

const filesOf = new Map<string, Array<string>>()
for (const source of sources)
  for (const name of exportsOf(source)) {
    const files = filesOf.get(name)
    if (files === undefined) filesOf.set(name, [source.path])
    else files.push(source.path)
  }

describe('names', () => {
  it('of functions are verbs or nouns, not participles', () => {
    deepEqual(
      found.filter(({ name }) => !Object.hasOwn(exceptions, name)).map(({ name, at }) => `${at} ${name}`),
      [],
    )
  })

  it('have few exceptions, each of a function that there is', () => {
    ok(Object.keys(adjectives).length + Object.keys(exceptions).length <= 40)
    deepEqual(
      Object.keys(exceptions).filter(name => !found.some(one => one.name === name)),
      [],
    )
  })

  it('tell a participle from a noun, a verb and an adjective', () => {
    const refused = [
      'joined',
      'joinedRows',
      'takenBy',
      'carriedOut',
      'readingFile',
      'named',
      'namedIn',
      'keptOut',
    ]
    deepEqual(
      refused.filter(name => !isParticipleName(name, known)),
      [],
    )
    const allowed = [
      'joinRows',
      'readFile',
      'namedToken',
      'settledOf',
      'findingAt',
      'feedOf',
      'setMode',
      'isJoined',
    ]
    deepEqual(
      allowed.filter(name => isParticipleName(name, known)),
      [],
    )
  })

  it('that are exported come from one file each', () => {
    const several = [...filesOf].filter(([name, files]) => files.length > 1 && !Object.hasOwn(homonyms, name))
    deepEqual(Object.fromEntries(several), {})
  })

  it('list a homonym only where there is one', () => {
    deepEqual(
      Object.keys(homonyms).filter(name => (filesOf.get(name) ?? []).length < 2),
      [],
    )
  })
})
