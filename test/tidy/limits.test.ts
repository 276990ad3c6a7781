import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { isTest, sources } from './sources.js'

const linesMax = 300
const tableLinesMax = 400
const columnsMax = 120

/** Files that are nothing but rows. */
const isTable = (path: string): boolean =>
  /(^|\/)routes\.ts$|protocol\/(refusal|metric|config\/keys)\.ts$|tag-schema\.ts$/.test(path)

const bannedNames = /(^|\/)(utils?|helpers?|common|misc|manager|service|data|index)(\.test)?\.ts$/

describe('limits', () => {
  it('hold for the length of files', () => {
    const long = sources
      .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
      .filter(({ path, lines }) => lines > (isTable(path) ? tableLinesMax : linesMax))
    deepEqual(long, [])
  })

  it('hold for the length of lines', () => {
    const wide = sources
      .filter(({ path }) => !isTest(path))
      .flatMap(({ path, text }) =>
        text.split('\n').flatMap((line, at) => (line.length > columnsMax ? [`${path}:${at + 1}`] : [])),
      )
    deepEqual(wide, [])
  })

  it('keep out names that say nothing', () => {
    deepEqual(
      sources.filter(({ path }) => bannedNames.test(path)).map(({ path }) => path),
      [],
    )
  })
})
