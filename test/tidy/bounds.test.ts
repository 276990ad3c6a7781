import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { bounds } from '#protocol/bounds.js'
import { ownTags } from '#protocol/people/own-tags.js'
import { documents } from './sources.js'

/** The cells of the rows of a table whose first cell is code. */
const cellsIn = (path: string): ReadonlyArray<ReadonlyArray<string>> =>
  (documents.find(one => one.path === path)?.text ?? '')
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

  it('docs/spec/own-writes.md has every tag that a player writes', () => {
    deepEqual(
      cellsIn('docs/spec/own-writes.md').map(([tag]) => tag),
      ownTags.map(tag => `\`${tag}\``),
    )
  })
})
