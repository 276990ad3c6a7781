import { deepEqual, equal } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { instantOf } from '#protocol/atoms.js'
import type { MonitorDocument } from '#protocol/fleet/monitor.js'
import {
  isMonitorStale,
  noMonitorView,
  readMonitorDocument,
  takeFetched,
  vantageSplitsOf,
} from './monitor.js'

const madeMs = Date.UTC(2026, 5, 15, 10)
const makeTown = (name: string, reachable: boolean) => ({
  town: name,
  reachable,
  checkedUtc: instantOf(madeMs - 60_000),
})
const documentAt = (ms: number, towns = [makeTown('Deyja', true)]): MonitorDocument => ({
  generatedUtc: instantOf(ms),
  monitor: 'outside',
  towns,
})

describe('the document of the outside monitor', () => {
  it('is read without the keys that are not its own', () => {
    const read = readMonitorDocument(JSON.stringify({ ...documentAt(madeMs), secret: 1 }))
    deepEqual(isLeft(read) ? null : JSON.parse(JSON.stringify(read.right)), documentAt(madeMs))
  })

  it('is refused in any other shape', () => {
    const good = documentAt(madeMs)
    const many = Array.from({ length: 257 }, (_, at) => makeTown(`Town ${at}`, true))
    for (const text of [
      '',
      'null',
      '[]',
      '{"towns":[]}',
      JSON.stringify({ ...good, generatedUtc: 'yesterday' }),
      JSON.stringify({ ...good, monitor: 'x'.repeat(257) }),
      JSON.stringify({ ...good, towns: [makeTown('Deyja', true), makeTown('Deyja', false)] }),
      JSON.stringify({ ...good, towns: many }),
      JSON.stringify({ ...good, towns: [{ ...makeTown('Deyja', true), reachable: 'yes' }] }),
      ...['\u001b[2J', '\n', '\u009b', '\u202e', '\u200d', '\u2028', '\ud800'].flatMap(mark => [
        JSON.stringify({ ...good, monitor: `a${mark}b` }),
        JSON.stringify({ ...good, towns: [makeTown(`a${mark}b`, true)] }),
      ]),
      '['.repeat(10_000),
    ])
      equal(isLeft(readMonitorDocument(text)), true, text.slice(0, 60))
  })
})

describe('the view of the outside monitor', () => {
  const at = (ms: number) => ({ wallMs: madeMs + ms, monotonicMs: ms })
  const seen = takeFetched(noMonitorView, { _tag: 'Read', document: documentAt(madeMs) }, at(0))

  it('is stale without a document, and once it is older than the threshold', () => {
    equal(isMonitorStale(noMonitorView, 900_000, at(0)), true)
    equal(isMonitorStale(seen, 900_000, at(900_000)), false)
    equal(isMonitorStale(seen, 900_000, at(900_001)), true)
  })

  it('is stale after a time without another document where the clock of the monitor is ahead', () => {
    const ahead = takeFetched(
      noMonitorView,
      { _tag: 'Read', document: documentAt(madeMs + 7 * 86_400_000) },
      at(0),
    )
    const same = takeFetched(
      ahead,
      { _tag: 'Read', document: documentAt(madeMs + 7 * 86_400_000) },
      at(800_000),
    )
    equal(isMonitorStale(same, 900_000, at(900_001)), true)
    const other = takeFetched(
      ahead,
      { _tag: 'Read', document: documentAt(madeMs + 7 * 86_400_000 + 1) },
      at(800_000),
    )
    equal(isMonitorStale(other, 900_000, at(900_001)), false)
  })

  it('keeps its document through a fetch that fails', () => {
    const failed = takeFetched(seen, { _tag: 'Failed', why: 'timeout' }, at(1_000))
    deepEqual(failed, { ...seen, failure: 'timeout' })
    equal(takeFetched(failed, { _tag: 'Read', document: documentAt(madeMs) }, at(2_000)).failure, null)
  })

  it('shows a split for a town that both know and see differently', () => {
    const peers = new Map([
      ['Deyja', { isReachable: false }],
      ['Avlee', { isReachable: true }],
      ['Enroth', { isReachable: true }],
    ])
    const towns = [makeTown('Tatalia', false), makeTown('Deyja', true), makeTown('Avlee', false)]
    deepEqual(vantageSplitsOf(documentAt(madeMs, towns), peers), [
      { town: 'Avlee', peerSaysReachable: true, monitorSaysReachable: false },
      { town: 'Deyja', peerSaysReachable: false, monitorSaysReachable: true },
    ])
    deepEqual(vantageSplitsOf(null, peers), [])
  })
})
