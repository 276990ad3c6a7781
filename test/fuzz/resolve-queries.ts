import { entityTypes } from '#protocol/atoms.js'
import { type Chance, chanceOf } from '#src/demo/chance.js'
import { demoWorld } from '#src/demo/world.js'
import {
  batchResultOf,
  type NameWish,
  resolvedNameOf,
  resolveWishInSlices,
  rewritesOf,
} from '#src/domain/names/requests.js'
import { searchEntitiesInSlices, tokenOwnersInSlices } from '#src/domain/names/search-entities.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { mainThreadMs } from '#test/support/processor-time.js'
import { worldOf } from '#test/support/world.js'
import { drawQuery, type HostileQuery, queryOfEachKind } from './queries.js'

/** The most processor time that one answer may take, in ms. */
export const answerMsMax = 50

/** A query whose answer failed or took too long. */
export interface Complaint {
  readonly kind: string
  readonly name: string
  readonly why: string
}

/** A world of the demo: its seed and its size. Without a scale it is the small one. */
export interface FuzzWorld {
  readonly seed: string
  readonly scale?: number
}

/** The files of the world that hostile queries are asked of. */
export const fuzzFiles = (world: FuzzWorld): Readonly<Record<string, string>> =>
  Object.fromEntries(
    demoWorld(world).commits.flatMap(({ changes }) => changes.map(({ path, text }) => [path, text] as const)),
  )

const namesOf = ({ entities }: Snapshot): ReadonlyArray<string> => entities.all.map(({ name }) => name)

const wishOfChance = (chance: Chance, snapshot: Snapshot, name: string): NameWish => ({
  name,
  type: chance.truth(0.2) ? chance.pick(entityTypes) : null,
  within: chance.truth(0.1) ? chance.pick(snapshot.entities.byType.get('Lokacja') ?? [null]) : null,
  activeOn: chance.truth(0.1) ? snapshot.day : null,
  noFuzzy: chance.truth(0.2),
  topN: chance.whole(1, 200),
  maxDistance: chance.whole(0, 3),
})

/** Every answer about one name that a caller can ask for. */
const answerAll = (snapshot: Snapshot, wish: NameWish, isSearched: boolean): void => {
  const found = atOnce(resolveWishInSlices(snapshot, wish))
  resolvedNameOf(found, snapshot.day)
  rewritesOf(wish.name, found, snapshot.day)
  batchResultOf(wish.name, found, snapshot.day)
  if (!isSearched) return
  atOnce(tokenOwnersInSlices(snapshot.entities, wish.name))
  atOnce(searchEntitiesInSlices(snapshot, wish.name, wish.type))
}

const timeOf = (work: () => void): number => {
  const fromMs = mainThreadMs()
  work()
  return mainThreadMs() - fromMs
}

const triesMax = 4

/**
 * Runs the work and returns its least processor time, in ms. Measures again only where the first, wall time is
 * above the bar: a garbage collection or another process lengthens it now and then.
 */
const leastTimeOf = (work: () => void): number => {
  const fromMs = performance.now()
  work()
  let leastMs = performance.now() - fromMs
  for (let at = 0; at < triesMax && leastMs > answerMsMax; at += 1) leastMs = Math.min(leastMs, timeOf(work))
  return leastMs
}

const excerptOf = ({ name }: HostileQuery): string => JSON.stringify(name.slice(0, 60))

/** How often a query is also looked up and searched for, which costs more. */
const searchedShare = 0.01

const judge = (snapshot: Snapshot, chance: Chance, query: HostileQuery): Complaint | null => {
  const wish = wishOfChance(chance, snapshot, query.name)
  const isSearched = chance.truth(searchedShare)
  try {
    const ms = leastTimeOf(() => answerAll(snapshot, wish, isSearched))
    if (ms <= answerMsMax) return null
    return { kind: query.kind, name: excerptOf(query), why: `${Math.round(ms)} ms of processor time` }
  } catch (error) {
    return {
      kind: query.kind,
      name: excerptOf(query),
      why: error instanceof Error ? error.message : String(error),
    }
  }
}

/**
 * Asks the resolver `count` hostile queries in this process, every kind among them, and returns what went wrong,
 * at most 20. The same world is asked the same.
 */
export const resolveQueries = (
  world: FuzzWorld,
  count: number,
  tell: (done: number) => void = () => undefined,
): ReadonlyArray<Complaint> => {
  const snapshot = worldOf(fuzzFiles(world))
  const names = namesOf(snapshot)
  const chance = chanceOf(`fuzz/${world.seed}`)
  const first = queryOfEachKind(chance, names)
  const complaints: Array<Complaint> = []
  for (let at = 0; at < count && complaints.length < 20; at += 1) {
    const complaint = judge(snapshot, chance, first[at] ?? drawQuery(chance, names))
    if (complaint !== null) complaints.push(complaint)
    if ((at + 1) % 10_000 === 0) tell(at + 1)
  }
  return complaints
}

/** Queries for the daemon over the same world. */
export const queriesOf = (world: FuzzWorld, count: number): ReadonlyArray<HostileQuery> => {
  const names = namesOf(worldOf(fuzzFiles(world)))
  const chance = chanceOf(`fuzz over HTTP/${world.seed}`)
  const first = queryOfEachKind(chance, names)
  return Array.from({ length: count }, (_, at) => first[at] ?? drawQuery(chance, names))
}
