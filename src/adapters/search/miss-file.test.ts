import { deepEqual, equal, ok } from 'node:assert/strict'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'mocha'
import { dayOf } from '#protocol/atoms.js'
import { addMiss } from '#src/domain/search/zero-results.js'
import { temporaryFolder } from '#test/support/repository.js'
import { openMissFile } from './miss-file.js'

/** Fails the test: no write may fail in it. */
const raise = (error: unknown): never => {
  throw error
}
const at = { day: dayOf('2026-06-15') ?? raise('no day'), person: 'Brzoza' }

describe('the file of queries without hits', () => {
  it('has after a restart what was written, in the same order, without lines that cannot be read', async () => {
    const folder = temporaryFolder()
    try {
      const path = join(folder.path, 'search', 'zero-results.jsonl')
      const first = openMissFile(path, raise)
      await Promise.all(['a', 'b', 'a'].map(query => first.change(one => addMiss(one, query, ['lore'], at))))
      appendFileSync(path, '{"key": "x", "miss": {"query": 1}}\nnie json')
      const again = openMissFile(path, raise)
      deepEqual(again.misses(), first.misses())
      deepEqual(
        [...again.misses().values()].map(({ query, count }) => `${query} ${count}`),
        ['b 1', 'a 2'],
      )
    } finally {
      folder.dispose()
    }
  })

  it('reads the lines of an earlier program, with days and without a person', () => {
    const folder = temporaryFolder()
    try {
      const path = join(folder.path, 'zero-results.jsonl')
      const instant = '2026-06-15T12:00:00.123Z'
      const miss = {
        query: 'Cis',
        tiers: ['lore'],
        count: 2,
        firstAt: instant,
        lastAt: instant,
        solvedBy: null,
      }
      writeFileSync(path, `${JSON.stringify({ key: 'lore cis', miss })}\n`)
      const [read] = [...openMissFile(path, raise).misses().values()]
      deepEqual(read, { ...miss, firstAt: '2026-06-15', lastAt: '2026-06-15', asker: '' })
    } finally {
      folder.dispose()
    }
  })

  it('stays short, however often queries are asked', async () => {
    const folder = temporaryFolder()
    try {
      const path = join(folder.path, 'zero-results.jsonl')
      const file = openMissFile(path, raise)
      const asked = Array.from({ length: 9000 }, (_, nth) =>
        file.change(one => addMiss(one, `${nth % 3}`, ['lore'], at)),
      )
      await Promise.all(asked)
      ok(readFileSync(path, 'utf8').split('\n').length < 4100)
      equal(openMissFile(path, raise).misses().size, 3)
    } finally {
      folder.dispose()
    }
  })

  it('keeps the list in memory and reports the fault where the disk refuses', async () => {
    const folder = temporaryFolder()
    try {
      writeFileSync(join(folder.path, 'plik'), '')
      const faults: Array<unknown> = []
      const file = openMissFile(join(folder.path, 'plik', 'zero-results.jsonl'), error => faults.push(error))
      await file.change(one => addMiss(one, 'a', ['lore'], at))
      equal(file.misses().size, 1)
      equal(faults.length, 1)
    } finally {
      folder.dispose()
    }
  })
})
