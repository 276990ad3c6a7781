import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { areaOf, layerOf } from './layers.js'
import { importsOf, isTest, sources } from './sources.js'

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

  it('are at most 14 folders of src', () => {
    const folders = new Set(product.flatMap(path => /^src\/([^/]+)\//.exec(path)?.[1] ?? []))
    equal(folders.size <= 14, true, [...folders].join(', '))
  })
})
