import { deepEqual, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { type Import, importsOf, isTest, jsonFiles, sources } from './sources.js'

/**
 * Which packages a folder may import; the first row whose folder holds the file decides. Which folders it
 * may import is said by its layer (`layers.test.ts`). A mended build changes the code, not this table.
 */
const policy: ReadonlyArray<readonly [folder: string, packages: ReadonlyArray<string>]> = [
  ['protocol/', ['fp-ts', 'io-ts']],
  ['src/kernel/', ['fp-ts', 'io-ts', 'nact']],
  ['src/ports/', ['fp-ts']],
  ['src/adapters/', ['*']],
  ['src/http/', ['fp-ts', 'io-ts', 'restify']],
  ['src/cli/', ['fp-ts', 'commander', '@clack/prompts']],
  ['src/node/commands/write-program.ts', ['esbuild']],
  ['src/node/', ['fp-ts', 'io-ts', 'pino']],
  ['src/main.ts', ['fp-ts']],
  ['src/domain/names/look-alike.ts', ['unhomoglyph']],
  ['src/domain/transcripts/content-gate.ts', ['fp-ts', 'htmlparser2']],
  ['src/', ['fp-ts', 'io-ts']],
  ['actors/', ['fp-ts', 'io-ts']],
  ['supervisors/', []],
]

/** Folders that may reach less than what lies below their layer. */
const narrow: ReadonlyArray<readonly [folder: string, may: ReadonlyArray<string>]> = [
  ['src/ports/', ['protocol/', 'src/domain/', 'src/snapshot/', 'src/writing/']],
  ['src/kernel/', ['protocol/']],
  ['src/adapters/', ['protocol/', 'src/ports/', 'src/kernel/', 'src/domain/']],
  ['supervisors/', ['protocol/', 'src/kernel/', 'actors/']],
  ['src/http/', ['protocol/', 'src/domain/', 'src/snapshot/', 'src/writing/', 'src/ports/', 'src/kernel/']],
  ['src/reference/', ['protocol/', 'src/domain/codecs/', 'src/domain/html/']],
]

/** Folders without effects: what they compute is a function of what they are given. */
const pure: ReadonlyArray<string> = ['src/domain/', 'src/snapshot/', 'src/writing/', 'src/demo/']
const writesDemo = 'src/demo/writer/'

/** Packages that exactly one file may import. */
const single = [
  ...['nact', 'restify', 'simple-git', 'better-sqlite3', 'prom-client', 'commander', 'pino', 'jose'],
  ...['esbuild', 'unhomoglyph', 'image-size', 'htmlparser2'],
]

const imports = sources.filter(source => !isTest(source.path)).flatMap(importsOf)

const packageOf = (specifier: string): string =>
  specifier.startsWith('@')
    ? specifier.split('/').slice(0, 2).join('/')
    : (specifier.split('/')[0] ?? specifier)

const isPure = (path: string): boolean =>
  pure.some(folder => path.startsWith(folder)) && !path.startsWith(writesDemo)

const reaches = (from: string, target: string): boolean => {
  const row = narrow.find(([folder]) => from.startsWith(folder))
  return row === undefined || target.startsWith(row[0]) || row[1].some(folder => target.startsWith(folder))
}

const isAllowed = ({ from, specifier, target }: Import): boolean => {
  const packages = policy.find(([folder]) => from.startsWith(folder))?.[1]
  if (packages === undefined) return false
  if (target !== null) return reaches(from, target) && !(isPure(from) && target.startsWith('src/adapters/'))
  if (specifier.startsWith('node:'))
    return !from.startsWith('protocol/') && (!isPure(from) || specifier === 'node:crypto')
  return packages.includes('*') || packages.includes(packageOf(specifier))
}

const graph = new Map<string, ReadonlyArray<string>>()
for (const { path } of sources)
  graph.set(
    path,
    imports.flatMap(one => (one.from === path && one.target !== null ? [one.target] : [])),
  )

/** `Host` as a whole, neither imported, nor a part of it picked. */
const wholeHost = /(?<!Pick<)\bHost\b(?!\[|[^\n]*from ')/

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
    const known = new Set([...sources.map(source => source.path), ...jsonFiles])
    deepEqual(
      imports
        .filter(one => one.target !== null && !known.has(one.target))
        .map(one => `${one.from} imports ${one.specifier}`),
      [],
    )
  })

  it('give a handler the ports of its group, never all of the node', () => {
    const whole = sources.filter(
      ({ path, text }) => path.startsWith('src/http/handlers/') && !isTest(path) && wholeHost.test(text),
    )
    deepEqual(
      whole.map(({ path }) => path),
      ['src/http/handlers/all.ts'],
    )
  })

  it('have no cycle', () => {
    for (const path of graph.keys()) deepEqual(cycleFrom(path), null)
  })
})
