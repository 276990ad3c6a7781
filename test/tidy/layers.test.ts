import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { importsOf, isTest, sources } from './sources.js'

/** The layers of the project, the lowest first. A file imports from its own layer and from those below it. */
const layers = [
  'protocol/',
  'src/domain/',
  'src/snapshot/',
  'src/writing/',
  'src/ports/',
  'src/kernel/',
  'src/adapters/',
  'actors/',
  'supervisors/',
  'src/http/',
  'src/demo/',
  'src/reference/',
  'src/cli/',
  'src/node/',
  'src/main.ts',
] as const

/** The areas of `src/domain`, the lowest first; the same rule holds among them. */
const areas = [
  ...['slicing', 'caching', 'codecs', 'json', 'redaction'],
  ...['lore', 'callers', 'entities', 'names', 'people', 'currency', 'sessions', 'points', 'places'],
  ...['ledger', 'identity', 'chat', 'audit', 'lint', 'config', 'limits', 'events', 'discovery'],
  ...['admin', 'adoption'],
] as const

const layerOf = (path: string): number => layers.findIndex(layer => path.startsWith(layer))

const areaOf = (path: string): number => {
  const [, , area] = path.startsWith('src/domain/') ? path.split('/') : []
  return areas.findIndex(known => known === area)
}

const isUp = (from: string, to: string): boolean =>
  layerOf(to) > layerOf(from) || (layerOf(to) === layerOf(from) && areaOf(to) > areaOf(from))

const product = sources.filter(({ path }) => !isTest(path)).map(({ path }) => path)
const arrows = sources
  .filter(({ path }) => !isTest(path))
  .flatMap(importsOf)
  .flatMap(({ from, target }) => (target === null ? [] : [{ from, target }]))

describe('layers', () => {
  it('have every file of the product', () => {
    deepEqual(
      product.filter(path => /^(protocol|src|actors|supervisors)\//.test(path) && layerOf(path) < 0),
      [],
    )
    deepEqual(
      product.filter(path => path.startsWith('src/domain/') && areaOf(path) < 0),
      [],
    )
  })

  it('import nothing from a layer or an area above', () => {
    deepEqual(
      arrows
        .filter(({ from, target }) => isUp(from, target))
        .map(({ from, target }) => `${from} -> ${target}`),
      [],
    )
    equal(isUp('src/domain/lore/a.ts', 'src/domain/names/b.ts'), true)
    equal(isUp('src/domain/lore/a.ts', 'src/snapshot/b.ts'), true)
    equal(isUp('src/node/a.ts', 'src/domain/lore/b.ts'), false)
  })

  it('hold at most 20 files a folder, tests not counted', () => {
    const counts = new Map<string, number>()
    for (const path of product.filter(one => /^(src|actors|supervisors)\//.test(one))) {
      const folder = path.slice(0, path.lastIndexOf('/'))
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
    deepEqual(
      [...counts].filter(([, count]) => count > 20).map(([folder, count]) => `${folder}: ${count}`),
      [],
    )
  })

  it('are at most 14 folders of src', () => {
    const folders = new Set(product.flatMap(path => /^src\/([^/]+)\//.exec(path)?.[1] ?? []))
    equal(folders.size <= 14, true, [...folders].join(', '))
  })
})
