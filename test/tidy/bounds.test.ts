import { deepEqual, match } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { bounds } from '#protocol/bounds.js'
import { ownTags } from '#protocol/people/own-tags.js'
import { callerWritesMax } from '#src/node/gate/limit-writes.js'
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

  it('docs/spec/limits.md and docs/spec/writes.md have the most writes of one caller that wait', () => {
    match(textOf('docs/spec/limits.md'), new RegExp(`; writes of one caller \\| \\d+; ${callerWritesMax} `))
    match(textOf('docs/spec/writes.md'), new RegExp(`\\b${callerWritesMax} writes of one caller`))
  })

  it('docs/spec/own-writes.md has every tag that a player writes', () => {
    deepEqual(
      cellsIn('docs/spec/own-writes.md').map(([tag]) => tag),
      ownTags.map(tag => `\`${tag}\``),
    )
  })
})
