import { isLeft } from 'fp-ts/lib/Either.js'
import type { Refusal } from '#protocol/refusal.js'
import type { Host } from './host.js'
import { appending, lorePaths } from './plans.js'
import type { World } from './world.js'

const actor = { name: 'Solmyr', gracz: 'Solmyr', kind: 'gracz' } as const

/** Refusals that do not say whether the write stands. */
const isVague = ({ _tag, detail }: Refusal): boolean =>
  _tag === 'Internal' || (_tag === 'Overloaded' && !detail.includes('nothing was written'))

/** One client that writes a line of its own and is told, unless the host dies first. */
export const writeOnce = async (world: World, host: Host, dryRun: boolean): Promise<void> => {
  const { checks, clock, weather } = world
  const { running } = host
  if (running === null) return
  const { life } = running
  const path = lorePaths[weather.between(0, 1)] ?? lorePaths[0]
  const line = `w${String(checks.asked.length + 1).padStart(4, '0')}`
  const asked = checks.ask({ line, path, host: host.name, dryRun, atMs: clock.monotonicMs() })
  const outcome = await running.write({
    plan: appending(path, line),
    dryRun,
    actor,
    route: 'PATCH /entities/{name}',
    requestId: line,
  })
  if (life.isOver) return
  if (isLeft(outcome)) {
    if (!isVague(outcome.left)) asked.fate = { _tag: 'refused', reason: outcome.left._tag }
  } else if (outcome.right.commit !== null) asked.fate = { _tag: 'acked', commit: outcome.right.commit }
  checks.answered(asked, host.repository.head)
}

/** Something that the host tells of itself. */
export const publishOnce = ({ checks }: World, { running }: Host): void =>
  running?.publish('snapshot:published', { generation: checks.asked.length, commit: null })
