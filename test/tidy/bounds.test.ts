import { deepEqual, match } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { bounds } from '#protocol/bounds.js'
import { ownTags } from '#protocol/lore/people.js'
import { callerLimits, dryRunLimits } from '#src/node/gate/limit-callers.js'
import { documents } from './sources.js'

const textOf = (path: string): string => documents.find(one => one.path === path)?.text ?? ''

/** The cells of the rows of a table whose first cell is code. */
const cellsIn = (path: string): ReadonlyArray<ReadonlyArray<string>> =>
  textOf(path)
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .map(line => line.slice(2, -2).split(' | '))

describe('the pages of what a write may hold', () => {
  it('docs/spec/bounds.md has every bound with its limit', () => {
    deepEqual(
      cellsIn('docs/spec/bounds.md'),
      Object.entries(bounds).map(([id, { limit, unit, of }]) => [`\`${id}\``, String(limit), unit, of]),
    )
  })

  it('docs/spec/limits.md and docs/spec/writes.md have the most that one caller has without an answer', () => {
    const { adoptions, dryRuns, writes } = callerLimits
    const { underWay, waiting } = dryRunLimits
    const limits = textOf('docs/spec/limits.md')
    match(
      limits,
      new RegExp(`; writes, imports and reindexes of one caller \\| \\d+; ${writes}, ${adoptions} together `),
    )
    match(
      limits,
      new RegExp(`under way, in the line; of one caller \\| ${underWay}, ${waiting}; ${dryRuns} `),
    )
    const text = textOf('docs/spec/writes.md').replaceAll('\n', ' ')
    match(text, new RegExp(`\\b${writes} writes of one caller`))
    match(text, new RegExp(`\\b${underWay} dry runs are under way at once and ${waiting} wait`))
    match(text, new RegExp(`\\b${dryRuns} of one caller`))
  })

  it('docs/spec/own-writes.md has every tag that a player writes', () => {
    deepEqual(
      cellsIn('docs/spec/own-writes.md').map(([tag]) => tag),
      ownTags.map(tag => `\`${tag}\``),
    )
  })
})
