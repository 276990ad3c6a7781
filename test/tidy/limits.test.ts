import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { functionsOf } from './functions.js'
import { isTest, sources } from './sources.js'

const linesMax = 800
const columnsMax = 120
const functionLinesMax = 60

/** Files that are nothing but rows: a table may be as long as it has rows. */
const isTable = (path: string): boolean =>
  /(^|\/)routes\.ts$|protocol\/(refusal|metric|config\/keys)\.ts$|tag-schema\.ts$/.test(path)

const longFunctions = sources
  .filter(({ path }) => !isTest(path))
  .flatMap(functionsOf)
  .filter(({ lines }) => lines > functionLinesMax)

const bannedNames = /(^|\/)(utils?|helpers?|common|misc|manager|service|data|index)(\.test)?\.ts$/

describe('limits', () => {
  it('hold for the length of files', () => {
    const long = sources
      .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
      .filter(({ path, lines }) => lines > linesMax && !isTable(path))
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

  it('hold for the length of functions', () => {
    deepEqual(longFunctions, [])
  })

  it('measure each function, named or not, and those within it', () => {
    const text = [
      'const outer = () => {',
      '  const table = { inner() {',
      '    return [1].map(',
      '      one => one,',
      '    )',
      '  } }',
      '}',
      'declare function bodiless(): void',
    ].join('\n')
    deepEqual(
      functionsOf({ path: 'a.ts', text }).map(({ line, name, lines }) => [line, name, lines]),
      [
        [1, 'outer', 7],
        [2, 'inner', 5],
        [4, '(unnamed)', 1],
      ],
    )
  })

  it('keep out names that say nothing', () => {
    deepEqual(
      sources.filter(({ path }) => bannedNames.test(path)).map(({ path }) => path),
      [],
    )
  })
})
