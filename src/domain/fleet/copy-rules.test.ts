import { deepEqual, equal } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { archiveStamp, mentionsOf } from '#test/support/fleet/artifacts.js'
import { artifactBytesMax, judgeCopy, kindsLacking, listDerived, readOffers } from './derived.js'

const mentions = mentionsOf(archiveStamp)
const offer = { ...mentions, bytes: mentions.bytes.length }
const row = { ...offer, status: 'fresh' }
const listOf = (...items: ReadonlyArray<object>): string => JSON.stringify({ count: items.length, items })

describe('the status of a derived artifact', () => {
  it('is by the archive that it describes', () => {
    const kept = new Map([['mentions', mentions]] as const)
    const statusAt = (archive: string | null) => listDerived(kept, archive)[0]?.status
    deepEqual([statusAt(archiveStamp), statusAt('b'.repeat(40)), statusAt(null)], ['fresh', 'stale', 'stale'])
    deepEqual(listDerived(new Map(), archiveStamp), [
      { kind: 'mentions', status: 'absent', stamp: null, sha256: null, bytes: null },
    ])
    deepEqual(kindsLacking(kept, archiveStamp), [])
    deepEqual(kindsLacking(kept, 'b'.repeat(40)), ['mentions'])
  })
})

describe('the offers of a peer', () => {
  const read = (text: string) => readOffers(text, ['mentions'], archiveStamp)
  const offersOf = (...items: ReadonlyArray<object>) => {
    const offers = read(listOf(...items))
    return isLeft(offers) ? null : offers.right
  }

  it('are its fresh rows of the same archive, beside kinds that this host does not know', () => {
    deepEqual(offersOf({ kind: 'runs', status: 'fresh' }, row), [
      { kind: 'mentions', stamp: archiveStamp, sha256: mentions.sha256, bytes: mentions.bytes.length },
    ])
    deepEqual(readOffers(listOf(row), [], archiveStamp), { _tag: 'Right', right: [] })
  })

  it('are none of another archive, of another status, or beyond the bounds', () => {
    for (const change of [
      { stamp: 'b'.repeat(40) },
      { stamp: null },
      { status: 'stale' },
      { status: 'FRESH' },
      { sha256: null },
      { sha256: 'A'.repeat(64) },
      { sha256: '../../etc' },
      { bytes: null },
      { bytes: 0 },
      { bytes: -1 },
      { bytes: 1.5 },
      { bytes: artifactBytesMax + 1 },
      { bytes: '12' },
    ])
      deepEqual(offersOf({ ...row, ...change }), [], JSON.stringify(change))
  })

  it('are refused in a text that is no list', () => {
    for (const text of ['', 'null', '[]', '{}', '{"items": {}}', '<html></html>', '['.repeat(20_000)])
      equal(isLeft(read(text)), true, text.slice(0, 20))
  })
})

describe('a copy', () => {
  it('is kept where stamp, length and digest agree with its offer', () => {
    const { stamp, bytes } = mentions
    deepEqual(judgeCopy(offer, { stamp, bytes }), { _tag: 'Right', right: mentions })
    const other = Buffer.from(bytes)
    other[0] = 0x5b
    for (const [came, fault] of [
      [{ stamp: null, bytes }, 'other_stamp'],
      [{ stamp: 'b'.repeat(40), bytes }, 'other_stamp'],
      [{ stamp, bytes: bytes.subarray(1) }, 'other_length'],
      [{ stamp, bytes: other }, 'other_sha256'],
    ] as const)
      deepEqual(judgeCopy(offer, came), { _tag: 'Left', left: fault })
  })
})
