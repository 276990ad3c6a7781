import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { importsOf, isTest, sources } from './sources.js'

const smallLinesMax = 80
const modulesMax = 15

const product = sources.filter(({ path }) => !isTest(path) && !path.startsWith('deploy/'))

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

/** A thread begins with such a module, which does something when it is imported: what it runs stands beside it. */
const isThread = (path: string): boolean => path.endsWith('-thread.ts')

/** What a command imports when it runs stays a module of its own, so that the other commands do not load it. */
const isCommand = (path: string): boolean => path.endsWith('-command.ts')

const importers = new Map<string, Set<string>>()
for (const source of product)
  for (const { from, target } of importsOf(source))
    if (target !== null) importers.set(target, (importers.get(target) ?? new Set()).add(from))

/** A short file that only one file of its folder imports belongs into that file. */
const corridors = product
  .filter(({ path, text }) => text.split('\n').length - 1 < smallLinesMax && !isCommand(path))
  .filter(({ path }) => {
    const [only, ...others] = importers.get(path) ?? []
    return only !== undefined && !isThread(only) && others.length === 0 && folderOf(only) === folderOf(path)
  })
  .map(({ path }) => path)

/** Ends of names that a second name for the outside had: a port has its own name, and is in `src/ports`. */
const retired = ['Deps', 'Parts', 'Desk', 'Sight', 'Signals', 'Setup']
const retiredType = new RegExp(
  `^(?:export )?(?:interface|type|class) (\\w*(?:${retired.join('|')}))\\b`,
  'gm',
)
const retiredFile = new RegExp(`(?:^|[/-])(?:${retired.join('|').toLowerCase()})(?:\\.test)?\\.ts$`)

describe('rooms', () => {
  it('have no short file that only one file of the folder imports', () => {
    deepEqual(corridors, [])
  })

  it('are at most 15 modules a folder, tests not counted', () => {
    const counts = new Map<string, number>()
    for (const { path } of product) counts.set(folderOf(path), (counts.get(folderOf(path)) ?? 0) + 1)
    deepEqual(
      [...counts].filter(([, count]) => count > modulesMax).map(([folder, count]) => `${folder}: ${count}`),
      [],
    )
  })

  it('have one name for each port', () => {
    const types = product.flatMap(({ path, text }) =>
      [...text.matchAll(retiredType)].map(([, name = '']) => ({ path, name })),
    )
    const files = sources.filter(
      ({ path }) => /^(?:actors|protocol|src|supervisors)\//.test(path) && retiredFile.test(path),
    )
    deepEqual([...types.map(({ path, name }) => `${path}: ${name}`), ...files.map(({ path }) => path)], [])
  })

  it('export each name once a folder', () => {
    const named = new Map<string, string>()
    const twice: Array<string> = []
    for (const { path, text } of product)
      for (const [, name = ''] of text.matchAll(/^export (?:const|function|class|interface|type) (\w+)/gm)) {
        const key = `${folderOf(path)} ${name}`
        const other = named.get(key)
        if (other !== undefined && other !== path) twice.push(`${name}: ${other}, ${path}`)
        named.set(key, path)
      }
    deepEqual(twice, [])
  })
})
