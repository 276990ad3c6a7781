import { deepEqual, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { type Import, importsOf, isTest, sources } from './sources.js'

/**
 * Who may import whom, besides itself (STYLE 2.1). The first row whose folder holds the file decides.
 * A mended build changes the code, not this table.
 */
const policy: ReadonlyArray<
  readonly [folder: string, may: ReadonlyArray<string>, packages: ReadonlyArray<string>]
> = [
  ['protocol/', [], ['fp-ts', 'io-ts']],
  ['src/kernel/', ['protocol/'], ['fp-ts', 'io-ts', 'nact']],
  ['src/ports/', ['protocol/', 'src/lore/'], ['fp-ts']],
  ['src/adapters/', ['protocol/', 'src/ports/', 'src/lore/', 'src/kernel/', 'src/demo/'], ['*']],
  ['src/http/', ['protocol/', 'src/'], ['fp-ts', 'io-ts', 'restify']],
  ['src/cli/', ['protocol/', 'src/'], ['fp-ts', 'commander', '@clack/prompts']],
  ['src/reference/', ['protocol/'], ['fp-ts', 'io-ts']],
  ['src/node/commands/write-program.ts', ['src/boot/'], ['esbuild']],
  ['src/boot/', ['protocol/', 'src/', 'actors/', 'supervisors/'], ['fp-ts', 'io-ts', 'pino']],
  ['src/main.ts', ['protocol/', 'src/', 'actors/', 'supervisors/'], ['fp-ts']],
  ['src/', ['protocol/', 'src/'], ['fp-ts', 'io-ts']],
  ['actors/', ['protocol/', 'src/'], ['fp-ts', 'io-ts']],
  ['supervisors/', ['protocol/', 'src/kernel/', 'actors/'], []],
]

/** Folders of `src/` that hold effects: an area, which is pure, imports none of them. */
const effectful = [
  'src/adapters/',
  'src/http/',
  'src/cli/',
  'src/boot/',
  'src/kernel/',
  'src/ports/',
  'src/main.ts',
]

/** Packages that exactly one file may import. */
const single = [
  ...['nact', 'restify', 'simple-git', 'better-sqlite3', 'prom-client', 'commander', 'pino', 'jose'],
  'esbuild',
]

const imports = sources.filter(source => !isTest(source.path)).flatMap(importsOf)

const packageOf = (specifier: string): string =>
  specifier.startsWith('@')
    ? specifier.split('/').slice(0, 2).join('/')
    : (specifier.split('/')[0] ?? specifier)

const isArea = (path: string): boolean =>
  path.startsWith('src/') &&
  !effectful.some(folder => path.startsWith(folder)) &&
  !path.startsWith('src/reference/')

const isAllowed = ({ from, specifier, target }: Import): boolean => {
  const row = policy.find(([folder]) => from.startsWith(folder))
  if (row === undefined) return false
  const [folder, may, packages] = row
  if (target !== null) {
    if (isArea(from) && effectful.some(other => target.startsWith(other))) return false
    return target.startsWith(folder) || may.some(other => target.startsWith(other))
  }
  if (specifier.startsWith('node:'))
    return !from.startsWith('protocol/') && (!isArea(from) || specifier === 'node:crypto')
  return packages.includes('*') || packages.includes(packageOf(specifier))
}

const graph = new Map<string, ReadonlyArray<string>>()
for (const { path } of sources)
  graph.set(
    path,
    imports.flatMap(one => (one.from === path && one.target !== null ? [one.target] : [])),
  )

const cycleFrom = (start: string): ReadonlyArray<string> | null => {
  const trail: Array<string> = []
  const done = new Set<string>()
  const visit = (path: string): ReadonlyArray<string> | null => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    if (done.has(path)) return null
    trail.push(path)
    for (const next of graph.get(path) ?? []) {
      const found = visit(next)
      if (found !== null) return found
    }
    trail.pop()
    done.add(path)
    return null
  }
  return visit(start)
}

describe('imports', () => {
  it('follow the policy table', () => {
    const strays = imports.filter(one => !isAllowed(one)).map(one => `${one.from} imports ${one.specifier}`)
    deepEqual(strays, [])
  })

  for (const name of single) {
    it(`bring ${name} into one file`, () => {
      const files = new Set(
        imports.filter(one => one.target === null && packageOf(one.specifier) === name).map(one => one.from),
      )
      ok(files.size <= 1, [...files].join(', '))
    })
  }

  it('name files that exist', () => {
    const known = new Set(sources.map(source => source.path))
    deepEqual(
      imports
        .filter(one => one.target !== null && !known.has(one.target))
        .map(one => `${one.from} imports ${one.specifier}`),
      [],
    )
  })

  it('have no cycle', () => {
    for (const path of graph.keys()) deepEqual(cycleFrom(path), null)
  })
})
