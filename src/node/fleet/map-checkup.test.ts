import { deepEqual, equal } from 'node:assert/strict'
import { left, right } from 'fp-ts/lib/Either.js'
import { beforeEach, describe, it } from 'mocha'
import { refuse } from '#protocol/refusal.js'
import type { MapCheckup, MapsMeasured, MeasureLimits } from '#src/ports/host.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Command } from '#src/writing/command.js'
import { MeasuredMaps } from '#src/writing/map-dimensions.js'
import { worldOf } from '#test/support/world.js'
import {
  afterCheckup,
  type CheckupPorts,
  type CheckupRules,
  isCheckupDue,
  mapCheckup,
} from './map-checkup.js'

const times = { intervalMs: 86_400_000, cooldownMs: 30_000 }
const went = (cursor: number, failures = 0, budgetExhausted = false) =>
  ({ _tag: 'Went', cursor, failures, budgetExhausted }) as const

describe('the state of the map checkup', () => {
  const state: MapCheckup = { cursor: 300, failures: 4, dueMs: 0 }
  const rows: ReadonlyArray<readonly [what: string, after: MapCheckup, expected: MapCheckup]> = [
    ['goes on at once', afterCheckup(state, went(600), times, 5), { cursor: 600, failures: 0, dueMs: 5 }],
    [
      'rests after a failed request, and keeps the count',
      afterCheckup(state, went(600, 7), times, 5),
      { cursor: 600, failures: 7, dueMs: 30_005 },
    ],
    [
      'rests for an interval after the catalogue',
      afterCheckup(state, went(0, 7), times, 5),
      { cursor: 0, failures: 0, dueMs: 86_400_005 },
    ],
    [
      'goes on behind the maps that spent the budget',
      afterCheckup(state, went(320, 20, true), times, 5),
      { cursor: 320, failures: 0, dueMs: 86_400_005 },
    ],
    [
      'begins its slice again where it could not commit',
      afterCheckup(state, { _tag: 'Lost' }, times, 5),
      { cursor: 300, failures: 4, dueMs: 30_005 },
    ],
  ]
  for (const [what, after, expected] of rows) it(what, () => deepEqual(after, expected))

  it('is due at its time, and where the clock was set back', () => {
    const due = (dueMs: number, nowMs: number) => isCheckupDue({ ...state, dueMs }, times, nowMs)
    deepEqual([due(10, 9), due(10, 10), due(90_000_000, 10)], [false, true, true])
  })
})

describe('a tick of the map checkup', () => {
  const index = ['A', 'B', 'C', 'D']
    .map(name => `### ${name}\n- @typ: Mapa\n- @url: https://maps.example/${name}.png\n`)
    .join('\n')
  const rules: CheckupRules = { ...times, mapsMax: 3, tickMaxMs: 4_000, timeoutMs: 10_000, hasHosts: true }
  let kept: MapCheckup | null
  let commands: Array<Command>
  let limits: Array<Partial<MeasureLimits>>
  let ran: Partial<MapsMeasured>
  let said: Array<string>
  let given: Partial<CheckupPorts>
  let nowMs: number
  beforeEach(() => {
    kept = null
    commands = []
    limits = []
    ran = {}
    said = []
    given = {}
    nowMs = 1_000
  })

  const ports = (): CheckupPorts => ({
    store: { find: () => kept, keep: state => void (kept = state) },
    snapshot: (): Snapshot => worldOf({ '.svc/format.json': '{"format": 2}', 'encje/indeks.md': index }),
    mayWrite: () => true,
    measure: (maps, { maxMs, failures }) => {
      limits.push({ maxMs, failures })
      const sizes = maps.map(({ name, url }) => ({ name, url, wymiary: '2x2' }))
      return Promise.resolve(
        right({ sizes, failed: [], reached: maps.length, failures: 0, budgetExhausted: false, ...ran }),
      )
    },
    write: command => {
      commands.push(command)
      return Promise.resolve(right({ status: null, body: {}, commit: null }))
    },
    nowMs: () => nowMs,
    log: {
      info: (event, fields) => void said.push(`${event} ${JSON.stringify(fields)}`),
      warn: (event, fields) => void said.push(`${event} ${JSON.stringify(fields)}`),
    },
    ...given,
  })
  const tick = (whyNot: string | null = null, signal = new AbortController().signal) =>
    mapCheckup(rules, ports).run({ whyNoPush: () => whyNot }, signal)

  it('measures a slice and commits it as the row does, until the catalogue ends', async () => {
    await tick()
    deepEqual(kept, { cursor: 3, failures: 0, dueMs: 1_000 })
    await tick()
    deepEqual(kept, { cursor: 0, failures: 0, dueMs: 86_401_000 })
    await tick()
    equal(commands.length, 2)
    const [first] = commands
    deepEqual(
      [first?.row, first?.route, first?.actor.name, first?.asker],
      ['maps.dimensions.set', 'POST /maps/dimensions', 'map_checkup', { _tag: 'Host' }],
    )
    equal(MeasuredMaps.is(first?.prepared), true)
    deepEqual(limits, [
      { maxMs: 4_000, failures: 0 },
      { maxMs: 4_000, failures: 0 },
    ])
    equal(said[0], 'map_checkup_ticked {"measured":3,"failed":0,"cursor":3,"budgetExhausted":false}')
  })

  it('commits nothing where it measured nothing, and carries the failures on', async () => {
    ran = { sizes: [], failed: [{ name: 'A', reason: 'Timeout' }], reached: 1, failures: 1 }
    await tick()
    deepEqual([commands, kept], [[], { cursor: 1, failures: 1, dueMs: 31_000 }])
    await tick()
    equal(limits.length, 1)
    nowMs = 31_000
    await tick()
    deepEqual(limits[1], { maxMs: 4_000, failures: 1 })
  })

  it('begins the slice again where it lost the duty or the gate refused', async () => {
    await tick('topology_changed')
    deepEqual([commands, kept], [[], { cursor: 0, failures: 0, dueMs: 31_000 }])
    nowMs = 31_000
    given = { write: () => Promise.resolve(left(refuse('SyncStale', 'The sync is stale.'))) }
    await tick()
    deepEqual(kept, { cursor: 0, failures: 0, dueMs: 61_000 })
    deepEqual(said, [
      'map_checkup_lost {"reason":"topology_changed","sizes":3}',
      'map_checkup_lost {"reason":"SyncStale","sizes":3}',
    ])
  })

  it('asks no server where nothing could be kept, and waits for a caller who measures', async () => {
    const idle: ReadonlyArray<Partial<CheckupPorts>> = [
      { mayWrite: () => false },
      { snapshot: () => null },
      { measure: () => Promise.resolve(left(refuse('Overloaded', 'busy'))) },
    ]
    for (const one of idle) {
      given = one
      await tick()
    }
    given = {}
    await mapCheckup({ ...rules, hasHosts: false }, ports).run(
      { whyNoPush: () => null },
      new AbortController().signal,
    )
    deepEqual([limits, commands, kept], [[], [], null])
  })

  it('keeps nothing of a tick that was stopped', async () => {
    const stop = new AbortController()
    stop.abort()
    await tick(null, stop.signal)
    deepEqual([commands, kept], [[], null])
  })
})
