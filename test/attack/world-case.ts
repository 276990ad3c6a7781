import type { Chance } from '#src/demo/chance.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'
import type { Shot } from './ask.js'
import { bars, isOver } from './bars.js'
import type { AttackCase } from './case.js'
import { readsOf, wholeReads } from './rows.js'
import { startAttackSubject } from './subject.js'
import { openTrial, type Result, type Trial } from './trial.js'
import type { Canary } from './verdicts/answer.js'
import type { Lore } from './verdicts/lore.js'
import { commitsOf, fsckViolations, violationsOfLoss } from './verdicts/repository.js'

/** Lore that somebody who may push may commit. */
export interface AttackLore {
  readonly name: string
  /** Pure: the same chance and size make the same files. */
  readonly files: (chance: Chance, size: number) => Lore
  /** Size at scale 1. */
  readonly size: number
  /** What reads name: headings, headers, people. */
  readonly names: ReadonlyArray<string>
  /** Requests beside the reads and the writes of every world. */
  readonly shots?: (token: string) => ReadonlyArray<Shot>
  readonly canaries?: ReadonlyArray<Canary>
  /** Changes the repository before the daemon starts, where text files are not enough. */
  readonly ready?: (repository: Repository, size: number) => void
}

export const notStarted = (reason: string): Result => ({
  requests: 0,
  statuses: {},
  worstCpu: { ms: 0, at: '' },
  worstTurn: { ms: 0, at: '' },
  loadMs: Number.NaN,
  heapMb: Number.NaN,
  violations: [`the daemon did not start: ${reason}`],
})

/** Writes that hold in any world: each makes the daemon build its snapshot anew. */
const plainWrites = (token: string): ReadonlyArray<Shot> => [
  { method: 'POST', path: '/entities', body: { name: 'Świadek Ataku', type: 'NPC' }, token },
  { method: 'PATCH', path: '/entities/%C5%9Awiadek%20Ataku', body: { tag: 'info', value: 'Patrzy.' }, token },
]

const judgeLoad = (trial: Trial): void => {
  const { loadMs } = trial.subject
  if (isOver(loadMs, bars.loadMs)) trial.violate(`the load took ${Math.round(loadMs)} ms of processor time`)
}

/** Asks for the health and ends the daemon in order: the same for every case. */
export const endTrial = async (trial: Trial, requests: boolean): Promise<Result> => {
  const { subject } = trial
  if (trial.isAlive()) {
    const health = await trial.fire({ method: 'GET', path: '/health', token: null })
    if (health?.status !== 200) trial.violate(`GET /health answers ${health?.status ?? 'nothing'} in the end`)
  }
  const partial = await trial.result()
  const code = await subject.stop(!trial.isAlive())
  const late = [
    ...(trial.isAlive() || subject.ended() === 'exit code 0' ? [] : []),
    ...(partial.violations.length === 0 && code !== 0
      ? [`the daemon ended with ${subject.ended() ?? ''}`]
      : []),
    ...fsckViolations(subject.repo),
    ...(requests ? violationsOfLoss(trial.acked, new Set(commitsOf(subject.repo))) : []),
  ]
  return { ...partial, violations: [...partial.violations, ...late] }
}

/** A world under the reads of a caller who may read everything, and a few writes. */
export const worldCase = (world: AttackLore): AttackCase => ({
  name: `world/${world.name}`,
  kind: 'world',
  run: async ({ chance, scale }) => {
    const size = Math.max(1, Math.round(world.size * scale))
    const repository = repositoryOf(Object.fromEntries(world.files(chance.fork('files'), size)))
    try {
      world.ready?.(repository, size)
      const started = await startAttackSubject(repository.path)
      if (started._tag === 'NotStarted') return notStarted(started.reason)
      const trial = await openTrial(started.subject, chance.fork('trial'))
      judgeLoad(trial)
      const { token } = started.subject
      const shots = [...readsOf(token, world.names), ...(world.shots?.(token) ?? []), ...plainWrites(token)]
      await trial.fillCache(wholeReads(token), world.canaries ?? [])
      for (const shot of shots) await trial.fire(shot, world.canaries)
      return await endTrial(trial, true)
    } finally {
      repository.dispose()
    }
  },
})
