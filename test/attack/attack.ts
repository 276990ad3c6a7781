import { chanceOf } from '#src/demo/chance.js'
import type { AttackCase, Round } from './case.js'
import type { Ran } from './report.js'
import type { Result } from './trial.js'

export interface AttackOptions {
  readonly seed: string
  /** One scale and one round; null: rounds until the time is up, each with another seed and larger. */
  readonly scale: number | null
  readonly minutes: number
  readonly onStart: (name: string) => void
  readonly onEnd: (ran: Ran) => void
}

export interface Attacked {
  readonly ran: ReadonlyArray<Ran>
  /** Cases of the first round that the time did not reach. */
  readonly unreached: ReadonlyArray<string>
}

const scaleMax = 1
const firstScale = 0.5

/** Seed and scale of a round: the first is the seed itself, so that a replay of a round is its first. */
export const roundOf = (seed: string, nth: number): { readonly seed: string; readonly scale: number } => ({
  seed: nth === 0 ? seed : `${seed}/${nth}`,
  scale: nth === 0 ? firstScale : scaleMax,
})

const longestMinutes = 10

/** How long a case goes on whose length is a time: alone as long as the run, otherwise a third of it, 10 minutes at most. */
export const minutesOf = (minutes: number, cases: number): number =>
  Math.min(longestMinutes, cases === 1 ? minutes : minutes / 3)

const resultOfFailure = (error: unknown): Result => ({
  requests: 0,
  statuses: {},
  worstCpu: { ms: 0, at: '' },
  worstTurn: { ms: 0, at: '' },
  loadMs: Number.NaN,
  heapMb: Number.NaN,
  violations: [
    `the case itself failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  ],
})

const runOne = async (one: AttackCase, { seed, scale, minutes }: Omit<Round, 'chance'>): Promise<Ran> => {
  const round: Round = { seed, scale, minutes, chance: chanceOf(`${seed}/${one.name}`) }
  return { name: one.name, seed, scale, result: await one.run(round).catch(resultOfFailure) }
}

/** Runs the cases one after another, in the order of the seed, until the time is up; a case that began ends. */
export const attack = async (
  cases: ReadonlyArray<AttackCase>,
  { seed, scale, minutes, onStart, onEnd }: AttackOptions,
): Promise<Attacked> => {
  const endMs = performance.now() + minutes * 60_000
  const ran: Array<Ran> = []
  const isOver = (): boolean => performance.now() >= endMs
  const shuffled = chanceOf(`${seed}/order`).some(cases, cases.length)
  const order = [...shuffled.filter(one => one.first === true), ...shuffled.filter(one => one.first !== true)]
  for (let nth = 0; nth === 0 || (scale === null && !isOver()); nth += 1) {
    const round = scale === null ? roundOf(seed, nth) : { seed, scale }
    // A case whose length is a time has its whole time in the first round.
    const due = nth === 0 ? order : order.filter(({ kind }) => kind !== 'fleet')
    if (due.length === 0) break
    for (const one of due) {
      if (isOver()) break
      onStart(one.name)
      const done = await runOne(one, { ...round, minutes: minutesOf(minutes, cases.length) })
      ran.push(done)
      onEnd(done)
    }
  }
  const names = new Set(ran.map(one => one.name))
  return { ran, unreached: cases.filter(({ name }) => !names.has(name)).map(({ name }) => name) }
}
