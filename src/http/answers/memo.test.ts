import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { openMemo, type PlainEntry } from './memo.js'

const entry = (bytes: number): PlainEntry => ({ etag: 'W/"x"', plain: Buffer.alloc(bytes), gzip: null })

describe('the memo', () => {
  it('lets the least recently used go when the bytes run over', () => {
    const kept = openMemo(10_000)
    kept.get('s', 'a')
    for (const key of ['a', 'b', 'c']) kept.put('s', key, entry(2000))
    kept.get('s', 'a')
    kept.put('s', 'd', entry(2500))
    equal(kept.get('s', 'b'), undefined)
    equal(kept.get('s', 'a')?.plain?.length, 2000)
    equal(kept.bytes() <= 10_000, true)
  })

  it('stays within its bytes where every entry was asked for', () => {
    const kept = openMemo(10_000)
    kept.get('s', 'a')
    for (let nth = 0; nth < 50; nth += 1) {
      kept.put('s', `key ${nth}`, entry(1000))
      kept.get('s', `key ${nth}`)
      equal(kept.bytes() <= 10_000, true)
    }
    equal(kept.get('s', 'key 49')?.plain?.length, 1000)
  })

  it('counts the compressed bytes that an entry gains', () => {
    const kept = openMemo(10_000)
    kept.get('s', 'a')
    kept.put('s', 'a', entry(3000))
    kept.put('s', 'b', entry(3000))
    kept.addBytes('s', 'b', 4000)
    equal(kept.get('s', 'a'), undefined)
    equal(kept.get('s', 'b') === undefined, false)
  })

  it('forgets everything when the inputs or the day change, and takes nothing of an older snapshot', () => {
    const kept = openMemo(10_000)
    kept.get('old', 'a')
    kept.put('old', 'a', entry(10))
    equal(kept.get('new', 'a'), undefined)
    kept.put('old', 'a', entry(10))
    kept.addBytes('old', 'a', 10)
    equal(kept.bytes(), 0)
  })

  it('does not keep what is larger than half of it', () => {
    const kept = openMemo(10_000)
    kept.get('s', 'a')
    kept.put('s', 'a', entry(5001))
    equal(kept.get('s', 'a'), undefined)
  })
})
