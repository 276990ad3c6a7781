import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { chanceOf } from '#src/demo/chance.js'
import { makeGivenName } from '#src/demo/names/names.js'
import { demoWorld } from '#src/demo/world.js'
import { buildNameIndexInSlices } from '#src/domain/names/name-index.js'
import { resolveName } from '#src/domain/names/resolve.js'
import type { NameIndex } from '#src/domain/names/spelling-table.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { type Build, buildSnapshot, type Inputs } from '#src/snapshot/build.js'
import { inputsOf } from '#test/support/world.js'
import { type Figure, figureAtLeast, figureAtMost, figureWithoutBar, median } from './figure.js'
import { percentile } from './percentile.js'

interface BuiltWorld {
  readonly files: Readonly<Record<string, string>>
  readonly inputs: Inputs
  readonly build: Build
}

const buildWorld = (scale: number): BuiltWorld => {
  const { commits } = demoWorld({ seed: 'pomiar', scale })
  const files = Object.fromEntries(
    commits.flatMap(({ changes }) => changes.map(({ path, text }) => [path, text] as const)),
  )
  const inputs = inputsOf(files)
  return { files, inputs, build: buildSnapshot(inputs, null) }
}

const indexAnew = ({ snapshot }: Build): NameIndex =>
  atOnce(buildNameIndexInSlices(snapshot.entities, snapshot.language.data, null))

/** Processor time of this process, in ms: what the load of the machine hardly changes (ADR 1037). */
const processorTimeMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const timeMs = (run: () => unknown): number => {
  const startedMs = processorTimeMs()
  run()
  return processorTimeMs() - startedMs
}

/** Milliseconds to index every name, five times. */
const timeIndexing = ({ build }: BuiltWorld): ReadonlyArray<number> =>
  [1, 2, 3, 4, 5].map(() => timeMs(() => indexAnew(build)))

const firstHeading = /^### (?<heading>.+)\n- @typ: NPC$/mu

/**
 * Milliseconds to index a change of one block, 25 changes in a row. The index is one of its own, because a
 * build adds what is new to the table of the build before.
 */
const changeMs = ({ files, inputs, build }: BuiltWorld): ReadonlyArray<number> => {
  const path = Object.keys(files).find(one => firstHeading.test(files[one] ?? ''))
  if (path === undefined) throw new Error('a world without people')
  let [before, given, index] = [build, inputs, indexAnew(build)]
  const seen: Array<number> = []
  for (let turn = 0; turn < 25; turn += 1) {
    const text = (files[path] ?? '').replace(firstHeading, found => `${found}\n- @alias: Pomierzan ${turn}`)
    given = inputsOf({ ...files, [path]: text }, {}, given)
    const after = buildSnapshot(given, before)
    const { entities, language } = after.snapshot
    const last = index
    seen.push(
      timeMs(() => {
        index = atOnce(buildNameIndexInSlices(entities, language.data, last))
      }),
    )
    before = after
  }
  return seen
}

const wordPattern = /\p{L}{3,}/gu

/** Every word of three letters or more of the session prose, in order. */
const wordsOfProse = ({ build }: BuiltWorld, count: number): ReadonlyArray<string> =>
  build.snapshot.sessions.all.flatMap(({ body }) => body.match(wordPattern) ?? []).slice(0, count)

/** Words a second that are resolved by every stage but fuzzy, in five rounds after one that warms the code up. */
const wordsPerSecond = (world: BuiltWorld): ReadonlyArray<number> => {
  const words = wordsOfProse(world, 200_000)
  const { names } = world.build.snapshot
  const rounds = [0, 1, 2, 3, 4, 5].map(() =>
    timeMs(() => {
      for (const word of words) resolveName(names, word, { upTo: 'lemma' })
    }),
  )
  return rounds.slice(1).map(roundMs => (words.length / roundMs) * 1000)
}

/** Invented names that the world does not have, one word and two in turns. */
export const absentNames = (count: number): ReadonlyArray<string> => {
  const chance = chanceOf('nieobecni')
  const given = (): string => makeGivenName(chance, chance.truth(0.5) ? 'man' : 'woman', 2).forms.nom
  return Array.from({ length: count }, (_, at) => (at % 2 === 0 ? given() : `${given()} ${given()}ski`))
}

/** Milliseconds of each name that no stage finds. */
const missesMs = ({ build }: BuiltWorld): ReadonlyArray<number> => {
  const { names } = build.snapshot
  const seen: Array<number> = []
  for (const name of absentNames(4000)) {
    const startedMs = processorTimeMs()
    const { stage } = resolveName(names, name, { upTo: 'fuzzy' })
    const tookMs = processorTimeMs() - startedMs
    if (stage === 'miss') seen.push(tookMs)
  }
  // The first ones warm the code up.
  return seen.slice(500)
}

const isCallable = (value: unknown): value is () => void => typeof value === 'function'

const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (!isCallable(collect)) throw new Error('no gc')
  collect()
}

/** Buffers are freed by the collection after the one that finds them. */
const collections = 4

const measureHeap = (): number => {
  for (let turn = 0; turn < collections; turn += 1) collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1024 / 1024
}

/** Memory that a second index of the same world holds. */
const indexMb = ({ build }: BuiltWorld): number => {
  const before = measureHeap()
  const index = indexAnew(build)
  const after = measureHeap()
  if (index.exact.size === 0) throw new Error('an index without names')
  return after - before
}

/** What the resolver costs in the process, without HTTP, in processor time. */
export const nameFigures = (): ReadonlyArray<Figure> => {
  const [five, ten] = [buildWorld(5), buildWorld(10)]
  const misses = missesMs(ten)
  return [
    figureAtMost('10,000 names indexed', 'ms', 1000, timeIndexing(five)),
    figureAtMost('one changed entity of 10,000 indexed', 'ms', 5, changeMs(five)),
    figureAtLeast('words resolved by every stage but fuzzy', 'words/s', 100_000, wordsPerSecond(five)),
    figureAtMost(
      'fuzzy miss among 20,000 names, p99',
      'ms',
      2,
      [0, 1, 2, 3, 4].map(nth =>
        percentile(
          misses.filter((_, at) => at % 5 === nth),
          0.99,
        ),
      ),
    ),
    figureWithoutBar('fuzzy miss among 20,000 names, median', 'ms', median(misses)),
    figureAtMost('memory of the names, scale 10', 'MB', 100, indexMb(ten)),
  ]
}
