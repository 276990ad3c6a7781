import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import {
  type EndedProbe,
  freshProbes,
  isPeerHealth,
  judgeAnswer,
  type PeerCard,
  type PeerTrack,
  type ProbeResult,
  readPeerCard,
  startTrack,
  townViewOf,
  trackLateAnswer,
  trackProbe,
  unsettleTrack,
} from './peers.js'

const cardText = (change: object = {}): string =>
  JSON.stringify({
    town: 'Deyja',
    role: 'replica',
    nowUtc: '2026-01-01T00:00:01.000Z',
    bootUtc: '2026-01-01T00:00:00.000Z',
    bootId: 'b1',
    uptimeSeconds: 1,
    imageDigest: '',
    schemaVersion: 2,
    syncAgeMinutes: 3,
    version: '0.5.0',
    ...change,
  })

const cardOf = (change: object = {}): PeerCard => {
  const card = readPeerCard(cardText(change), 'Deyja')
  if (card === null) throw new Error('the test has no card')
  return card
}

const probe = (result: ProbeResult, elapsedMs = 100): EndedProbe => ({
  result,
  elapsedMs,
  atMs: Date.UTC(2026, 0, 1),
  monotonicMs: 0,
})
const answer = (elapsedMs?: number) =>
  probe({ _tag: 'Answered', kind: 'fleet-status', card: cardOf() }, elapsedMs)
const miss = probe({ _tag: 'Failed', kind: 'fleet-status', why: 'refused' })
const unsent = probe({ _tag: 'NotSent' })
const after = (...probes: ReadonlyArray<EndedProbe>): PeerTrack =>
  probes.reduce(trackProbe, startTrack('Deyja'))

describe('the card of a peer', () => {
  it('keeps the ten keys and no other', () => {
    const card = readPeerCard(cardText({ token: 'x', peers: [1] }), 'Deyja')
    deepEqual(Object.keys(card ?? {}).length, 10)
  })

  for (const [name, text] of [
    ['the card of another town', cardText({ town: 'Erathia' })],
    ['a missing key', cardText({ version: undefined })],
    ['NaN', cardText({ uptimeSeconds: 7 }).replace('7', 'NaN')],
    ['a negative age', cardText({ syncAgeMinutes: -1 })],
    ['a number that is not finite', cardText({ uptimeSeconds: 7 }).replace('7', '1e999')],
    ['a text of 1 MB', cardText({ version: 'x'.repeat(1_000_000) })],
    ['__proto__', cardText().replace('{', '{"__proto__": {"role": "primary"},')],
    ['an unknown role', cardText({ role: 'emperor' })],
    ['a list of many values', cardText({ more: Array(2_000).fill(0) })],
    ['no JSON', '<html>'],
  ] as const)
    it(`rejects ${name}`, () => equal(readPeerCard(text, 'Deyja'), null))

  it('rejects a character that does not show: of a terminal, a line, a direction, a joiner, half of a pair', () => {
    for (const key of ['bootId', 'imageDigest', 'schemaVersion', 'version'])
      for (const mark of ['\u001b', '\n', '\u009b', '\u202e', '\u200d', '\u2028', '\ud800'])
        equal(readPeerCard(cardText({ [key]: `a${mark}b` }), 'Deyja'), null, JSON.stringify([key, mark]))
  })

  it('reads the health of a host without a card', () => {
    equal(isPeerHealth('{"status": "degraded", "version": "0.4.0", "schema": 2}'), true)
    equal(isPeerHealth('{"status": "fine"}'), false)
    equal(isPeerHealth('{"status": "ok", "version": "0.4\\u202e"}'), false)
  })
})

describe('the record of a peer', () => {
  it('counts the failed probes since the last success, and a success ends the count (S8)', () => {
    equal(after(miss, miss).record?.consecutiveMisses, 2)
    equal(after(miss, miss, answer()).record?.consecutiveMisses, 0)
    equal(after(miss, answer(), miss).record?.consecutiveMisses, 1)
  })

  it('keeps its misses over a probe that was not sent, and only settles (S8)', () => {
    deepEqual(after(miss, unsent).record, { ...after(miss).record, isSettling: true })
    equal(after(unsent).record, null)
  })

  it('keeps the last card of a town that no longer answers', () => {
    const { card, isReachable, failure } = after(answer(), miss).record ?? {}
    deepEqual([card, isReachable, failure], [cardOf(), false, 'refused'])
  })

  it('estimates the skew for half a round trip, with the bound of the shortest one', () => {
    const { skewMs, skewErrorMs } = after(answer(40), answer(100)).record ?? {}
    deepEqual([skewMs, skewErrorMs], [1_050, 20])
  })

  /** An answer that comes after its probe has counted as missed. */
  const late = (track: PeerTrack, syncAgeMinutes = 3): PeerTrack =>
    trackLateAnswer(track, {
      result: { _tag: 'Answered', kind: 'fleet-status', card: cardOf({ syncAgeMinutes }) },
      elapsedMs: 18_000,
      atMs: Date.UTC(2026, 0, 1),
      monotonicMs: 0,
    })

  it('takes the misses back for a late answer, keeps its card, and calls the town late', () => {
    const { record } = late(after(answer(), miss, miss), 7)
    deepEqual(
      [record?.consecutiveMisses, record?.isReachable, record?.failure, record?.isLate, record?.elapsedMs],
      [0, true, null, true, 18_000],
    )
    equal(record?.card?.syncAgeMinutes, 7)
  })

  it('calls a town late until it answers in time', () => {
    const track = late(after(miss))
    equal(trackProbe(track, miss).record?.isLate, true)
    equal([miss, answer()].reduce(trackProbe, track).record?.isLate, false)
  })

  it('learns nothing of the clocks from a late answer, and takes it for no fresh probe', () => {
    const before = unsettleTrack(after(answer(40), miss))
    const { record, probesToSettle } = late(before)
    deepEqual(
      [record?.skewMs, record?.skewErrorMs, record?.isSettling, probesToSettle],
      [before.record?.skewMs, 20, true, freshProbes],
    )
  })

  it('changes nothing for a late answer of a town that has answered since, or that was never counted', () => {
    for (const track of [after(miss, answer()), after(unsent)]) equal(late(track), track)
  })

  const sweepMs = 300_000
  /** Runs the probes an interval apart, as the watcher counts them; returns why each of them failed. */
  const failuresOf = (cards: ReadonlyArray<PeerCard>): ReadonlyArray<string | null> => {
    let track = startTrack('Deyja')
    return cards.map((card, at) => {
      const monotonicMs = at * sweepMs
      const result = judgeAnswer(track.record, { _tag: 'Answered', kind: 'fleet-status', card }, monotonicMs)
      track = trackProbe(track, { result, monotonicMs, atMs: monotonicMs, elapsedMs: 20 })
      return track.record?.failure ?? null
    })
  }
  const atMinute = (minute: number, bootId = 'b1'): PeerCard =>
    cardOf({ bootId, nowUtc: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString() })

  const life: ReadonlyArray<
    readonly [name: string, cards: ReadonlyArray<PeerCard>, failures: ReadonlyArray<string | null>]
  > = [
    ['a card that goes on', [0, 5, 10].map(minute => atMinute(minute)), [null, null, null]],
    ['one card of a cache', [0, 0, 0].map(minute => atMinute(minute)), [null, 'frozen', 'frozen']],
    [
      'the cards of two caches in turn',
      [0, 5, 0, 5].map(minute => atMinute(minute)),
      [null, null, 'frozen', 'frozen'],
    ],
    [
      'a card of an earlier boot that comes back',
      [atMinute(0, 'b0'), atMinute(5), atMinute(0, 'b0')],
      [null, null, 'frozen'],
    ],
    [
      'a clock that goes on by a minute in five',
      [0, 1, 2].map(minute => atMinute(minute)),
      [null, 'frozen', 'frozen'],
    ],
    ['a clock that was set back', [500, 5, 10].map(minute => atMinute(minute)), [null, null, null]],
    ['a clock that was set forward', [0, 500, 505].map(minute => atMinute(minute)), [null, null, null]],
    ['a town that started again with an old clock', [atMinute(9), atMinute(9, 'b2')], [null, null]],
  ]
  for (const [name, cards, failures] of life)
    it(`takes ${name} for ${failures.includes('frozen') ? 'no ' : ''}life`, () =>
      deepEqual(failuresOf(cards), failures))

  it('takes two answers of one moment for life, which a paused town gives to all that asked it', () => {
    const card = atMinute(0)
    const probe = { result: { _tag: 'Answered', kind: 'fleet-status', card }, elapsedMs: 20 } as const
    const { record } = trackProbe(startTrack('Deyja'), { ...probe, monotonicMs: 9_000, atMs: 9_000 })
    equal(judgeAnswer(record, probe.result, 9_010)._tag, 'Answered')
    equal(judgeAnswer(record, probe.result, 10_001)._tag, 'Failed')
  })

  const flaps: ReadonlyArray<readonly [probes: string, isFlapping: boolean]> = [
    ['+-+-+-', true],
    ['-+-+-+', true],
    ['--+--+--+', true],
    ['++-++-++-', true],
    ['+++-+++-++', false],
    ['------', false],
    ['+-+-++++++', false],
    ['+-+-+-++++++++++', false],
  ]
  for (const [probes, isFlapping] of flaps)
    it(`calls a town with the probes ${probes} ${isFlapping ? '' : 'not '}flapping`, () => {
      const { record } = after(...Array.from(probes).map(one => (one === '+' ? answer() : miss)))
      equal(record?.isFlapping, isFlapping)
    })

  it('counts a late answer as one for flapping', () => {
    const track = late(after(...Array.from('+-+-+-').map(one => (one === '+' ? answer() : miss))))
    equal(track.record?.isFlapping, false)
  })

  /** The misses that the rules of a takeover see after each of the probes. */
  const missesSeen = (track: PeerTrack, probes: ReadonlyArray<EndedProbe>): ReadonlyArray<number | null> =>
    probes.map((_, at) => {
      const { record } = probes.slice(0, at + 1).reduce(trackProbe, track)
      return record === null ? null : townViewOf(record, 0).consecutiveMisses
    })

  it('suspects after a probe that was not sent after three fresh ones', () => {
    deepEqual(missesSeen(after(miss, miss), [unsent, miss, miss, miss]), [0, 0, 0, 5])
  })

  it('keeps the misses over a pause of this host, and suspects only after three fresh probes', () => {
    const paused = unsettleTrack(after(miss, miss, miss))
    const views = missesSeen(paused, [miss, miss, miss])
    equal(paused.record?.consecutiveMisses, 3)
    equal(paused.probesToSettle, freshProbes)
    deepEqual(views, [0, 0, 6])
  })
})
