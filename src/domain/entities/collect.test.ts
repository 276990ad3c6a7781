import { deepEqual, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { nameKey } from '#protocol/atoms.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { worldOf } from '#test/support/world.js'
import { collectInSlices } from './reading.js'

const headings = 6_400
const indexOf = (name: string): string =>
  Array.from({ length: headings }, (_, at) => `### ${name} ${at}\n- @typ: NPC\n- @alias: Al ${at}\n`).join('')

const groupOf = (name: string) => worldOf({ 'encje/indeks.md': indexOf(name) }).entities.all
const restsOf = (work: Iterable<unknown>): number => [...work].length

describe('the maps over all entities', () => {
  const [old, fresh] = [groupOf('Nazwa'), groupOf('Inna')]

  it('are made in steps of a few entities each, whatever their number', () => {
    ok(restsOf(collectInSlices([old], [])) >= (3 * headings) / 64)
  })

  it('are changed in steps too, and hold what maps made anew hold', () => {
    const groups = [old, ...Array.from({ length: 4 }, (_, at) => groupOf(`Reszta ${at}`))]
    const before = atOnce(collectInSlices(groups, []))
    const after = () => collectInSlices([...groups, fresh], [], before)
    ok(restsOf(after()) >= (5 * headings) / 64)
    const [changed, anew] = [atOnce(after()), atOnce(collectInSlices([...groups, fresh], []))]
    deepEqual([...changed.byAlias.keys()].sort(), [...anew.byAlias.keys()].sort())
    deepEqual(changed.byHeading.get(nameKey('Inna 7')), [fresh[7]])
  })
})
