import { deepEqual, equal } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import type { EndedConverge } from '#actors/repository-sync/state.js'
import { CommitId } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import { noBotToken } from '#src/domain/chat/failures.js'
import { readConfig } from '#src/domain/config/read-config.js'
import type { PeerRecord } from '#src/domain/fleet/peers.js'
import { observedPeers } from '#test/support/fleet/peers.js'
import { type NodeNoticesSources, nodeNotices, type OutboxMessage } from './delivery.js'

const channels = {
  'integrations.chat.peer_watch.channel': 'rada/hosty',
  'integrations.chat.converge_announce.channel': 'rada/zmiany',
} as const
const { signal } = new AbortController()

const commitOf = (digit: string): CommitId => {
  const decoded = CommitId.decode(digit.repeat(40))
  if (isLeft(decoded)) throw new Error('no commit')
  return decoded.right
}
const range = { from: commitOf('a'), to: commitOf('b') }
const converge: EndedConverge = {
  run: {
    trigger: 'timer',
    beganMs: 0,
    attempt: 0,
    received: 2,
    merged: false,
    resolved: 0,
    incoming: [range, range],
    parked: [],
    askers: [],
    accepts: false,
  },
  action: 'pulled',
  detail: null,
  head: commitOf('b'),
  sent: 0,
}

const refusingOutbox: NodeNoticesSources['delivery']['outbox'] = {
  post: () => {
    throw new Error('the disk refuses')
  },
  awaitEnd: () => Promise.resolve('queued'),
}

const openNotices = (settings: Partial<Config> = channels, changes: Partial<NodeNoticesSources> = {}) => {
  const posted: Array<OutboxMessage> = []
  const logged: Array<string> = []
  let records: ReadonlyMap<string, PeerRecord> = observedPeers.records()
  const notices = nodeNotices({
    config: { ...readConfig(null).config, ...settings },
    delivery: {
      whyNot: null,
      outbox: {
        post: message => {
          posted.push(message)
          return 'id'
        },
        awaitEnd: () => Promise.resolve('queued'),
      },
    },
    hasDuty: () => true,
    log: { warn: event => logged.push(event) },
    peers: { records: () => records, isIsolated: () => false },
    monotonicMs: () => 0,
    authorsOf: () =>
      Promise.resolve(
        new Map([
          ['1', 'Brzoza'],
          ['2', 'Solmyr'],
        ]),
      ),
    ...changes,
  })
  const darken = (): void => {
    const deyja = records.get('Deyja')
    if (deyja === undefined) throw new Error('Deyja is not observed')
    records = new Map(records).set('Deyja', { ...deyja, isReachable: false, consecutiveMisses: 3 })
  }
  const texts = () => posted.map(({ category, channel, text }) => `${category}/${channel} ${text}`)
  return { notices, posted, logged, darken, texts }
}

describe('the notices of a host', () => {
  it('go to the channels of their keys, with nonces that another host makes too', async () => {
    const hosts = [openNotices(), openNotices()]
    for (const { notices, darken } of hosts) {
      await notices.onProbed()
      darken()
      await notices.onProbed()
      await notices.onTakeoverEnded({ town: 'Deyja', apex: 'Erathia', term: 4, failure: null })
      await notices.onConverged(converge, signal)
    }
    const [one, other] = hosts
    deepEqual(one?.texts(), [
      'rada/hosty Host Deyja nie odpowiada.',
      'rada/hosty Host Deyja został głównym hostem. Poprzednio był nim host Erathia.',
      'rada/zmiany Nowe zmiany w kronice: 2. Autorzy: Brzoza, Solmyr.',
    ])
    const noncesOf = (host: (typeof hosts)[number] | undefined) => host?.posted.map(({ nonce }) => nonce)
    deepEqual(noncesOf(one), noncesOf(other))
    equal(new Set(noncesOf(one)).size, 3)
  })

  for (const [what, settings, changes] of [
    ['without a channel', {}, {}],
    ['without the duty', channels, { hasDuty: () => false }],
    ['where this host sends nothing', channels, { delivery: { whyNot: noBotToken, outbox: refusingOutbox } }],
  ] as const)
    it(`are neither made nor recorded ${what}`, async () => {
      const { notices, posted, darken } = openNotices(settings, {
        ...changes,
        authorsOf: () => Promise.reject(new Error('git was asked')),
      })
      await notices.onProbed()
      darken()
      await notices.onProbed()
      await notices.onTakeoverEnded({ town: 'Deyja', apex: 'Erathia', term: 4, failure: 'vetoed' })
      await notices.onConverged(converge, signal)
      deepEqual(posted, [])
    })

  it('announce a converge that brought commits, and no other', async () => {
    const { notices, posted } = openNotices()
    await notices.onConverged({ ...converge, run: { ...converge.run, incoming: [] } }, signal)
    await notices.onConverged({ ...converge, action: 'unreachable' }, signal)
    const off = openNotices({ ...channels, 'integrations.chat.converge_announce.enabled': false })
    await off.notices.onConverged(converge, signal)
    const merges = openNotices(channels, { authorsOf: () => Promise.resolve(new Map()) })
    await merges.notices.onConverged(converge, signal)
    deepEqual([posted, off.posted, merges.posted], [[], [], []])
  })

  it('that cannot be queued are logged, and nothing else fails', async () => {
    const { notices, logged } = openNotices(channels, { delivery: { whyNot: null, outbox: refusingOutbox } })
    await notices.onConverged(converge, signal)
    deepEqual(logged, ['notice_dropped'])
  })
})
