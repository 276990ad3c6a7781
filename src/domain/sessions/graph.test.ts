import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { growsAsALine } from '#test/support/processor-time.js'
import { worldOf } from '#test/support/world.js'
import { sessionGraph } from './entity-history.js'

const graphOf = (players: number) => {
  const points = Array.from({ length: players }, (_, at) => `    - Gość ${at}: 1\n`).join('')
  const world = worldOf({ 'sesje/a.md': `### 2026-05-10, Most, Brzoza\n\n- @PU:\n${points}` })
  return sessionGraph(world.sessions, world.names)
}

const pointsOf = (session: number): string =>
  Array.from({ length: 60 }, (_, at) => `    - Gość ${session}.${at}: 1\n`).join('')

/** Sessions of 60 who play in no other. */
const strangers = (sessions: number): string =>
  Array.from(
    { length: sessions },
    (_, at) => `### 2026-05-10, Most ${at}, Brzoza\n\n- @PU:\n${pointsOf(at)}\n`,
  ).join('')

describe('the graph of who played together', () => {
  it('pairs the players of a session, of 64 at most (ADR 1028)', () => {
    deepEqual([graphOf(2).NodeCount, graphOf(2).EdgeCount], [2, 1])
    deepEqual([graphOf(64).NodeCount, graphOf(64).EdgeCount], [64, (64 * 63) / 2])
    deepEqual([graphOf(65).NodeCount, graphOf(65).EdgeCount], [65, 0])
  })

  it('has 100,000 pairs and those of one session more', () => {
    const world = worldOf({ 'sesje/a.md': strangers(60) })
    const { NodeCount, EdgeCount } = sessionGraph(world.sessions, world.names)
    equal(NodeCount, 3_600)
    ok(EdgeCount >= 100_000 && EdgeCount < 100_000 + 2_016, `${EdgeCount}`)
  })

  it('of a session of thousands is made in linear time', () => {
    equal(graphOf(5_000).NodeCount, 5_000)
    ok(growsAsALine(2_500, graphOf))
  })
})
