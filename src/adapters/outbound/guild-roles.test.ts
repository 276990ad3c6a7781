import { deepEqual, equal } from 'node:assert/strict'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import type { ChatFailure } from '#protocol/chat/platform.js'
import { noBotToken } from '#src/domain/chat/failures.js'
import type { GuildRole } from '#src/ports/chat.js'
import { guildRoles } from './chat-http.js'

type Fetched = Either<ChatFailure, ReadonlyArray<GuildRole>>

const rada: GuildRole = { id: '1', name: 'Rada' }
const straz: GuildRole = { id: '2', name: 'Straż' }

const has =
  (name: string) =>
  (roles: ReadonlyArray<GuildRole>): boolean =>
    roles.some(role => role.name === name)

/** Roles cached for 300 s, over fetches that the test completes. */
const guildRolesRig = () => {
  let nowMs = 1_000
  const failures: Array<string> = []
  const flights: Array<(fetched: Fetched) => void> = []
  const fetch = (): Promise<Fetched> => new Promise(end => flights.push(end))
  const read = guildRoles({
    fetch,
    ttlMs: 300_000,
    monotonicMs: () => nowMs,
    failed: ({ _tag }) => void failures.push(_tag),
  })
  return {
    read,
    flights,
    failures,
    pass: (ms: number) => {
      nowMs += ms
    },
  }
}

const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

describe('the roles of the guild', () => {
  it('are fetched once and kept for their time', async () => {
    const { read, flights, pass } = guildRolesRig()
    const first = read(has('Rada'))
    flights[0]?.(right([rada]))
    deepEqual(await first, right([rada]))
    pass(299_999)
    deepEqual(await read(has('Rada')), right([rada]))
    equal(flights.length, 1)
    pass(1)
    void read(has('Rada'))
    equal(flights.length, 2)
  })

  it('are fetched by one for all who ask at once', async () => {
    const { read, flights } = guildRolesRig()
    const asked = Array.from({ length: 50 }, () => read(has('Rada')))
    equal(flights.length, 1)
    flights[0]?.(right([rada]))
    for (const one of await Promise.all(asked)) deepEqual(one, right([rada]))
    equal(flights.length, 1)
  })

  it('are fetched once more on a miss, and a miss in that is answered', async () => {
    const { read, flights, pass } = guildRolesRig()
    const first = read(has('Rada'))
    flights[0]?.(right([rada]))
    await first
    pass(1)
    const missed = read(has('Straż'))
    equal(flights.length, 2)
    flights[1]?.(right([rada, straz]))
    deepEqual(await missed, right([rada, straz]))
    pass(1)
    const never = read(has('Nikt'))
    equal(flights.length, 3)
    flights[2]?.(right([rada, straz]))
    deepEqual(await never, right([rada, straz]))
    equal(flights.length, 3)
  })

  it('of a first fetch are the guild’s word already: a miss in them is a miss', async () => {
    const { read, flights } = guildRolesRig()
    const missed = read(has('Straż'))
    flights[0]?.(right([rada]))
    deepEqual(await missed, right([rada]))
    equal(flights.length, 1)
  })

  it('of a fetch that began before the call are asked anew on a miss, by one for all', async () => {
    const { read, flights, pass } = guildRolesRig()
    const first = read(has('Rada'))
    pass(1)
    const later = Array.from({ length: 20 }, () => read(has('Straż')))
    flights[0]?.(right([rada]))
    deepEqual(await first, right([rada]))
    await settle()
    equal(flights.length, 2)
    flights[1]?.(right([rada, straz]))
    for (const one of await Promise.all(later)) deepEqual(one, right([rada, straz]))
    equal(flights.length, 2)
  })

  it('are unreadable where the fetch fails, for all who wait, and the next call asks again', async () => {
    const { read, flights, failures } = guildRolesRig()
    const asked = [read(has('Rada')), read(has('Rada'))]
    flights[0]?.(left(noBotToken))
    for (const one of await Promise.all(asked))
      deepEqual(one, left({ _tag: 'roles_unreadable', detail: noBotToken.detail }))
    deepEqual(failures, ['NoBotToken'])
    const again = read(has('Rada'))
    flights[1]?.(right([rada]))
    deepEqual(await again, right([rada]))
  })

  it('that are kept still answer after a fetch that failed, but never a miss in them', async () => {
    const { read, flights, pass } = guildRolesRig()
    const first = read(has('Rada'))
    flights[0]?.(right([rada]))
    await first
    pass(1)
    const missed = read(has('Straż'))
    flights[1]?.(left(noBotToken))
    equal(isLeft(await missed), true)
    deepEqual(await read(has('Rada')), right([rada]))
    equal(flights.length, 2)
  })
})
