import { type DispatchQueuePorts, dispatchQueue } from '#actors/chat/dispatch-queue.js'
import type { DispatchAttempt, DispatchKind, DispatchOutcome } from '#protocol/chat/dispatch.js'
import type { DispatchStore } from '#src/ports/records.js'
import { kernelWorld } from '#test/support/kernel/kernel-world.js'
import type { TestRuntime } from '#test/support/runtime.js'

interface QueueWish {
  readonly attemptsMax?: number
  readonly perTick?: number
  readonly budgetMs?: number
  /** How each attempt ends; a test may let time pass first. */
  readonly enact?: (attempt: DispatchAttempt) => Promise<DispatchOutcome>
  readonly nowMs?: () => number
}

const enacted: DispatchOutcome = { _tag: 'Enacted', answer: 'Gotowe.' }

/** A dispatch queue on virtual time over a real runtime database. */
export const dispatchWorld = async (runtime: TestRuntime, wish: QueueWish = {}) => {
  const world = kernelWorld()
  const { attemptsMax = 3, perTick = 1, budgetMs = 2_000, enact = () => Promise.resolve(enacted) } = wish
  const nowMs = wish.nowMs ?? (() => world.clock.nowMs())
  const attempts: Array<{ readonly id: string; readonly attempt: number; readonly atMs: number }> = []
  const ended: Array<string> = []
  const ticks: Array<number> = []
  let disk: string | null = null
  let [looks, commits] = [0, 0]
  const store = (): DispatchStore => runtime.db().dispatches
  const failing =
    <A extends ReadonlyArray<unknown>, B>(call: (...args: A) => B) =>
    (...args: A): B => {
      if (disk !== null) throw Object.assign(new Error('injected'), { code: disk })
      return call(...args)
    }
  const ports: DispatchQueuePorts = {
    store: {
      begin: (...args) => {
        looks += 1
        return failing(store().begin)(...args)
      },
      defer: (...args) => failing(store().defer)(...args),
      end: (...args) => failing(store().end)(...args),
      expire: (...args) => store().expire(...args),
      nextMs: () => store().nextMs(),
      prune: (...args) => store().prune(...args),
      releaseHeld: (...args) => store().releaseHeld(...args),
      recover: (...args) => failing(store().recover)(...args),
    },
    groupCommit: write => {
      commits += 1
      return runtime.db().groupCommit(write)
    },
    enact: attempt => {
      attempts.push({ id: attempt.id, attempt: attempt.attempt, atMs: world.clock.monotonicMs() })
      return enact(attempt)
    },
    nowMs,
    chance: () => 0,
    attemptsMax,
    ended: (id, _kind, _attempts, { state }) => void ended.push(`${id} ${state}`),
    diskCodeOf: error =>
      error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null,
    refused: () => undefined,
    ticked: elapsedMs => void ticks.push(elapsedMs),
  }
  const start = () => world.alone(dispatchQueue({ attemptsMax: perTick, budgetMs }), ports)
  const first = await start()
  return {
    world,
    store,
    attempts,
    ended,
    ticks,
    ...first,
    add: (id: string, kind: DispatchKind = 'query') =>
      store().enqueue({ id, kind, vars: {}, sealedReply: 'sealed' }, nowMs()),
    /** How often the queue has looked for what is due. */
    looks: () => looks,
    /** How many transactions the queue has made. */
    commits: () => commits,
    refuse: (code: string | null) => {
      disk = code
    },
  }
}
