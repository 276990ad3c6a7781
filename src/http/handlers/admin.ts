import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import { type Adoption, type AdoptRefusal, adminRoutes } from '#protocol/admin.js'
import type { Mode } from '#protocol/discovery.js'
import type { RefusalOf } from '#protocol/refusal.js'
import { actorOf, originOf } from '#src/http/checks/origin.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { TellProgress } from '#src/ports/records.js'
import type { ClaimedRight, WriteActor, WriteOrigin } from '#src/writing/command.js'
import type { Jobs } from './jobs.js'

/** How the asker of an adoption follows it. */
export interface AdoptionFollow {
  /** Receives each step. If absent, the steps are not reported. */
  readonly progress?: TellProgress
  /** Whether the caller still waits: the gate drops an adoption that it has not begun when its caller leaves. */
  readonly isCallerThere?: () => boolean
}

/** Runs an adoption through the write gate. */
export type Adopting<R> = (
  dryRun: boolean,
  origin: WriteOrigin,
  claimed: ClaimedRight,
  follow?: AdoptionFollow,
) => Promise<Either<R, Adoption>>

export interface AdminDeps {
  readonly jobs: Pick<Jobs, 'start'>
  /** Adopts a legacy repository through the write gate (A 4.5); its arms do not apply (A 4.1.3). */
  readonly adopt: Adopting<AdoptRefusal>
  /** Sets the mode after every write that was asked before; resolves when those are settled (S18). */
  readonly setMode: (
    mode: Mode,
    actor: WriteActor,
    claimed: ClaimedRight,
  ) => Promise<
    Either<RefusalOf<'NoRepository' | 'DiskRefused' | 'Overloaded' | 'Unauthorized' | 'Forbidden'>, Mode>
  >
  /** Starts the shutdown, as SIGTERM does; running requests are still answered. */
  readonly shutdown: () => void
}

export const adminHandlers: Handlers<typeof adminRoutes, AdminDeps> = {
  'import.run': async ({ node, dryRun, query, caller, claimed, isCallerThere }) => {
    const origin = originOf(adminRoutes['import.run'], caller)
    if (query.async === true && !dryRun) {
      const started = await node.jobs.start('import', { _tag: 'Import', origin, claimed: claimed() })
      return isLeft(started) ? started : right({ body: started.right, status: 202 })
    }
    const adopted = await node.adopt(dryRun, origin, claimed(), { isCallerThere })
    return isLeft(adopted) ? adopted : right({ body: adopted.right })
  },
  'admin.mode.set': async ({ node, body, caller, dryRun, claimed }) => {
    const wanted = body.mode === 'read-only' ? 'ReadOnly' : 'ReadWrite'
    if (dryRun) return right({ body: { mode: wanted } })
    const set = await node.setMode(wanted, actorOf(caller), claimed())
    return isLeft(set) ? set : right({ body: { mode: set.right } })
  },
  'admin.shutdown': ({ node, dryRun }) => {
    if (!dryRun) node.shutdown()
    return right({ body: { stopped: !dryRun } })
  },
}
