import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import type { LoadPorts } from '#actors/corpus-keeper/load.js'
import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import { gitCommitter } from '#src/adapters/git-committer.js'
import type { ServeOptions } from '#src/cli/options.js'
import type { Output } from '#src/cli/output.js'
import type { Front } from '#src/http/front.js'
import { realClock } from '#src/kernel/clock.js'
import type { Tree } from '#src/kernel/kernel.js'
import { adoptionPlan } from './adoption-plan.js'
import { type Checkout, holdCheckout } from './checkout.js'
import { frontDeps } from './front-deps.js'
import { type Listeners, listeners } from './front-ports.js'
import { awaitLeaving } from './leave.js'
import { type NodeParts, nodeParts } from './node-parts.js'
import { committedConfig, loadPorts } from './open-corpus.js'

/** What a served node says when it is ready; the one line on stdout. */
export interface ReadyLine {
  readonly ready: true
  readonly url: string
  readonly ops: string
  readonly pid: number
  readonly town: string
  readonly state: string
}

const drainMs = 20_000
const retryMs = 1000

/** Looks until there is a snapshot; the keeper itself tries again too. */
const firstSnapshot = async ({ look, snapshot, log }: NodeParts): Promise<void> => {
  while (snapshot() === null) {
    const outcome = await look()
    if (isRight(outcome) && outcome.right._tag === 'Current') continue
    log.warn('look_failed', { reason: isLeft(outcome) ? outcome.left._tag : outcome.right })
    await new Promise(resolve => setTimeout(resolve, retryMs))
  }
}

const readyLine = ({ options, checkout }: NodeParts, front: Front): ReadyLine => ({
  ready: true,
  url: `http://127.0.0.1:${front.apiPort}/v1/api`,
  ops: `http://127.0.0.1:${front.opsPort}`,
  pid: process.pid,
  town: options.town,
  state: checkout.state,
})

interface Run {
  readonly tree: Tree
  readonly doors: Listeners
}

const run = (parts: NodeParts, ports: LoadPorts, onGiveUp: () => void): Run => {
  const { checkout, config, held, log, look, options } = parts
  const deps = frontDeps(parts)
  const doors = listeners(() => deps, {
    api: options.port ?? config['server.port'],
    ops: options.opsPort ?? 0,
  })
  const tree = parts.tree.run(
    {
      keeper: { load: ports, cell: held },
      gate: {
        source: checkout.source,
        commit: checkout.isGit ? gitCommitter(checkout.repo) : null,
        nowMs: realClock.nowMs,
        plan: adoptionPlan(config),
        published: async () => void (await look()),
      },
      front: doors,
    },
    notice => {
      log.error('gave_up', { supervisor: notice.supervisor, error: notice.error })
      onGiveUp()
    },
  )
  return { tree, doors }
}

const runNode = async (
  options: ServeOptions,
  checkout: Checkout,
  onReady: (line: ReadyLine) => void,
): Promise<ExitCode> => {
  const read = await committedConfig(checkout.source)
  const parts = nodeParts(options, checkout, read)
  const ports = loadPorts(checkout.source, read)
  const leaving = awaitLeaving(parts.log, async () => {
    for (const orphan of await running.tree.drain(drainMs)) parts.log.warn('orphaned', orphan)
  })
  const running = run(parts, ports, () => leaving.giveUp(exitCodes.intensity))
  if (await running.tree.ready) {
    await Promise.race([firstSnapshot(parts), leaving.left])
    const front = running.doors.current()
    if (front !== null && parts.snapshot() !== null) onReady(readyLine(parts, front))
  }
  const code = await leaving.left
  await ports.works?.close()
  return code
}

/** `kronika serve`: holds the checkout, prints the ready line with the first snapshot, ends by signal (D2). */
export const serve =
  (output: Output, onReady: (line: ReadyLine) => void = () => undefined) =>
  async (options: ServeOptions): Promise<ExitCode> => {
    const checkout = await holdCheckout(options.repo, options.state, 'serve')
    if (isLeft(checkout)) {
      output.err(`kronika serve: ${checkout.left.reason}`)
      return checkout.left.code
    }
    try {
      return await runNode(options, checkout.right, line => {
        output.out(JSON.stringify(line))
        onReady(line)
      })
    } finally {
      await checkout.right.release()
    }
  }
