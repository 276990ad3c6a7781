import { deepEqual, equal, ok } from 'node:assert/strict'
import { bounds } from '#protocol/bounds.js'
import { isBounded, type Table } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import type { AnySample } from '#test/contract/bench.js'
import { samples } from '#test/contract/samples.js'
import { excessRefusal } from './body.js'

const table: Table = routes
const sampled: Readonly<Record<string, AnySample>> = samples
const writes = Object.entries(table).filter(([, row]) => isBounded(row) && row.body !== null)

const over = 'x'.repeat(bounds.valueBytes.limit + 1)

describe('the bounds of a body', () => {
  it('hold for every row that passes the gate, sessions apart in how they are counted', () => {
    ok(writes.length > 20, String(writes.length))
    for (const [id, row] of writes) {
      const body = sampled[id]?.body ?? {}
      equal(excessRefusal(row, body), null, id)
      const counted = excessRefusal(row, { more: Array.from({ length: 201 }, () => 'x') })
      equal(counted?.bound ?? null, row.bounds?.counts === 'items' ? null : 'requestValues', id)
      const long = excessRefusal(row, { deep: { list: ['x', over] } })
      deepEqual([long?.bound, long?.field, long?.actual], ['valueBytes', 'deep.list[1]', 8193], id)
    }
  })

  it('do not hold for reads, which may ask for many', () => {
    const reads = Object.values(table).filter(row => !row.write && row.body !== null)
    ok(reads.length > 0)
    for (const row of reads)
      equal(excessRefusal(row, { more: Array.from({ length: 900 }, () => over) }), null)
  })

  it('count each value of a list and a record, and an empty list as one', () => {
    const row = routes['entities.create']
    const tags = (count: number) => ({ alias: Array.from({ length: count }, () => 'x'), info: 'y', nick: [] })
    equal(excessRefusal(row, { name: 'a', type: 'NPC', tags: tags(198) }), null)
    equal(excessRefusal(row, { name: 'a', type: 'NPC', tags: tags(199) })?.actual, 201)
  })

  it('leave out what only names what is there, and prose', () => {
    equal(excessRefusal(routes['characters.info.replace'], { match: over, text: 'x' }), null)
    equal(excessRefusal(routes['characters.info.replace'], { match: 'x', text: over })?.field, 'text')
    equal(excessRefusal(routes['entities.update'], { tag: 'info', value: over, remove: true }), null)
    equal(excessRefusal(routes['sessions.create'], { title: 'x', content: over }), null)
  })

  it('take the value of a spelling for a name, also within a session', () => {
    const value = 'x'.repeat(bounds.nameChars.limit + 1)
    const metadata = { changes: [{ entity: 'a', tags: [{ tag: '@Alias', value }] }] }
    const found = excessRefusal(routes['sessions.create'], { title: 'x', metadata })
    deepEqual([found?.bound, found?.field], ['nameChars', 'metadata.changes[0].tags[0].value'])
    equal(excessRefusal(routes['entities.update'], { tag: 'NICK', value })?.bound, 'nameChars')
    equal(excessRefusal(routes['entities.update'], { tag: 'info', value }), null)
  })
})
