import { deepEqual, equal } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { describe, it } from 'mocha'
import { PlatformChannel } from '#protocol/chat/platform.js'
import { channelBodies } from '#test/support/chat/chat-double.js'
import { findChannel, nonceOf } from './attempts.js'

const channelsOf = (bodies: ReadonlyArray<unknown>): ReadonlyArray<PlatformChannel> => {
  const decoded = t.readonlyArray(PlatformChannel).decode(bodies)
  if (isLeft(decoded)) throw new Error('the channels of the test have another shape')
  return decoded.right
}
const [category, channel] = channelBodies
const guild = channelsOf(channelBodies)

describe('a channel by its names', () => {
  it('is found in NFC, whichever form the name and the platform have', () => {
    const name = { category: 'sesje', channel: 'solmyr-kanał' }
    deepEqual(findChannel(guild, name), { _tag: 'Found', id: '11' })
    const split = channelsOf([category, { ...channel, name: 'źródło'.normalize('NFD') }])
    for (const form of ['NFC', 'NFD'] as const)
      equal(findChannel(split, { category: 'sesje', channel: 'źródło'.normalize(form) })._tag, 'Found')
  })

  it('is found in another spelling of its signs where no channel has the written one', () => {
    const odd = channelsOf([category, { ...channel, name: 'o\u2019braz\u2011\u2694\ufe0f' }])
    const name = { category: 'sesje', channel: "o'braz-\u2694" }
    deepEqual(findChannel(odd, name), { _tag: 'Found', id: '11' })
    const both = channelsOf([
      category,
      { ...channel, name: "o'braz" },
      { ...channel, id: '12', name: 'o\u2019braz' },
    ])
    deepEqual(findChannel(both, { category: 'sesje', channel: 'o\u2019braz' }), { _tag: 'Found', id: '12' })
    equal(findChannel(both, { category: 'sesje', channel: 'o\u2032braz' })._tag, 'Several')
  })

  it('is missing outside its category, in other letters, and where it takes no texts', () => {
    for (const name of [
      { category: 'inne', channel: 'solmyr-kanał' },
      { category: 'sesje', channel: 'Solmyr-kanał' },
      { category: '', channel: 'solmyr-kanał' },
    ])
      deepEqual(findChannel(guild, name), { _tag: 'Missing' })
    const voice = channelsOf([category, { ...channel, type: 2 }])
    equal(findChannel(voice, { category: 'sesje', channel: 'solmyr-kanał' })._tag, 'Missing')
  })

  it('is ambiguous where two have its name, also in two categories of one name', () => {
    const twin = channelsOf([
      ...channelBodies,
      { ...category, id: '20' },
      { ...channel, id: '21', parent_id: '20' },
    ])
    deepEqual(findChannel(twin, { category: 'sesje', channel: 'solmyr-kanał' }), {
      _tag: 'Several',
      count: 2,
    })
  })
})

describe('a nonce', () => {
  it('is that of its parts, apart from those of others, and short enough', () => {
    equal(nonceOf('a', 'b'), nonceOf('a', 'b'))
    equal(new Set([nonceOf('a', 'b'), nonceOf('ab'), nonceOf('a,b'), nonceOf('b', 'a')]).size, 4)
    equal(nonceOf('x'.repeat(5_000)).length, 25)
  })
})
