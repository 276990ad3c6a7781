import { deepEqual, ok } from 'node:assert/strict'
import { before, describe, it } from 'mocha'
import { queryOf, type Route } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import { type AnySample, requestTargetOf } from '#test/contract/bench.js'
import { samples } from '#test/contract/samples.js'
import { countReads } from '#test/support/count-reads.js'
import { callerWith, testFront } from '#test/support/front.js'
import { type HostileWorld, hostileWorlds } from '#test/support/hostile-worlds.js'
import { skipUnlessWhole } from '#test/support/runs.js'
import { worldOf } from '#test/support/world.js'

/** Rows that never end, or that read no lore. */
const left: ReadonlySet<string> = new Set(['events.stream', 'events.journal.list', 'logs.list'])

const rows: ReadonlyArray<readonly [string, Route, AnySample]> = Object.entries(routes).flatMap(
  ([id, row]) => {
    const sample = samples[id]
    return row.method !== 'GET' || left.has(id) || sample === undefined ? [] : [[id, row, sample] as const]
  },
)

/** The path of a sample with the names of a hostile world. */
const pathIn = ({ name, header = name }: HostileWorld, { path }: AnySample): AnySample['path'] =>
  Object.fromEntries(
    Object.entries(path).map(([key, value]) => {
      if (key === 'name') return [key, name]
      return [key, key === 'header' ? header : key === 'nick' ? 'Brzoza' : value]
    }),
  )

const named: ReadonlySet<string> = new Set([
  'name',
  'entity',
  'group',
  'location',
  'target',
  'player',
  'parent',
])

/** Each row bare, and once for each parameter that names something. */
const queriesOf = (
  row: Route,
  { name }: HostileWorld,
): ReadonlyArray<ReadonlyArray<readonly [string, string]>> => [
  'player' in queryOf(row) ? [['player', name]] : [],
  ...Object.keys(queryOf(row))
    .filter(key => named.has(key))
    .map(key => [[key, name] as const]),
]

type Work = ReadonlyMap<string, { readonly reads: number; readonly bytes: number }>

/** What each row reads of a world of `n`, and what it answers. */
const workOf = async (world: HostileWorld, n: number): Promise<Work> => {
  const snapshot = worldOf(world.files(n))
  const readsSoFar = countReads(snapshot)
  const front = await testFront({
    snapshot,
    table: routes,
    callers: { all: callerWith(['admin.all'], 'Brzoza') },
  })
  const work = new Map<string, { readonly reads: number; readonly bytes: number }>()
  try {
    for (const [id, row, sample] of rows)
      for (const pairs of queriesOf(row, world)) {
        const before = readsSoFar()
        const target = requestTargetOf({ id, row, sample: { ...sample, path: pathIn(world, sample) } }, pairs)
        const reply = await front.client.ask(target, { token: 'all' })
        ok(reply.status < 500, `${target}: ${reply.status} ${reply.text.slice(0, 200)}`)
        work.set(`${id} ${pairs.join()}`, { reads: readsSoFar() - before, bytes: reply.bytes.length })
      }
  } finally {
    await front.close()
  }
  return work
}

const sizes = [100, 200, 400] as const
/** Twice the lore is twice the work; a little more where a size had something to make for the first time. */
const growthMax = 2.5
const readsMin = 4_000
const bytesMin = 100_000

describe('every GET row over hostile lore', () => {
  before(skipUnlessWhole)

  for (const world of hostileWorlds)
    it(`costs twice for twice the lore: ${world.what}`, async () => {
      const works: Array<Work> = []
      for (const n of sizes) works.push(await workOf(world, n))
      const grown: Array<string> = []
      for (const [row, most] of works.at(-1) ?? [])
        for (const [of, min] of [
          ['reads', readsMin],
          ['bytes', bytesMin],
        ] as const) {
          const [first = 0, second = 0, third = 0] = works.map(work => work.get(row)?.[of] ?? 0)
          if (most[of] > min && third > growthMax * second && second > growthMax * first)
            grown.push(`${row}: ${of} ${first}, ${second}, ${third}`)
        }
      deepEqual(grown, [])
    }).timeout(60_000)
})
