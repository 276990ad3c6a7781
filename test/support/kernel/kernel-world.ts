import type { Actor, Tagged } from '#src/kernel/actor/actor.js'
import type { KernelRecord } from '#src/kernel/actor/record.js'
import type { Ref } from '#src/kernel/actor/ref.js'
import { type Kernel, type KernelOptions, openKernel } from '#src/kernel/kernel.js'
import type { ActorTree, GiveUp } from '#src/kernel/run-tree.js'
import { entropyFromSeed } from './entropy-from-seed.js'
import { type VirtualClock, virtualClock } from './virtual-clock.js'

/** A kernel on virtual time, with its log and its give-ups. */
export interface KernelWorld {
  readonly kernel: Kernel
  readonly clock: VirtualClock
  readonly log: ReadonlyArray<KernelRecord>
  readonly gaveUp: ReadonlyArray<GiveUp>
  readonly advance: (ms: number) => Promise<void>
  readonly settle: () => Promise<void>
  /** Runs one actor under a one_for_one root that allows `restartsMax` (3) restarts in `windowMs` (5 s). */
  readonly alone: <S, M extends Tagged, E extends Tagged, P>(
    actor: Actor<S, M, E, P>,
    ports: P,
    limits?: { readonly restartsMax?: number; readonly windowMs?: number; readonly drainMs?: number },
  ) => Promise<{ readonly ref: Ref<M>; readonly tree: ActorTree }>
}

export const kernelWorld = (options: KernelOptions = {}, seed = 1): KernelWorld => {
  const clock = virtualClock(Date.UTC(2026, 0, 1))
  const log: KernelRecord[] = []
  const gaveUp: GiveUp[] = []
  const kernel = openKernel({
    clock,
    checkMessages: true,
    entropy: entropyFromSeed(seed),
    log: record => log.push(record),
    ...options,
  })
  return {
    kernel,
    clock,
    log,
    gaveUp,
    advance: ms => clock.advance(ms, kernel.settle),
    settle: kernel.settle,
    alone: async (actor, ports, limits = {}) => {
      const place = kernel.place(actor)
      const tree = kernel.run(
        {
          id: 'root',
          strategy: 'one_for_one',
          restartsMax: limits.restartsMax ?? 3,
          windowMs: limits.windowMs ?? 5_000,
          children: [{ id: 'child', restart: 'permanent', drainMs: limits.drainMs ?? 1_000 }],
        },
        { child: place.with(ports) },
        notice => gaveUp.push(notice),
      )
      await kernel.settle()
      return { ref: place.ref, tree }
    },
  }
}
