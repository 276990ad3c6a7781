import { randomUUID } from 'node:crypto'
import { isLeft, left } from 'fp-ts/lib/Either.js'
import type { RepositorySyncMessage } from '#actors/repository-sync/messages.js'
import type { AdoptOutcome } from '#actors/write-gate/adopt.js'
import type { Adopt } from '#actors/write-gate/messages.js'
import type { Mode } from '#protocol/discovery/mode.js'
import { refuse } from '#protocol/refusal.js'
import { memoryGauge } from '#src/adapters/memory.js'
import type { JobsView, NodeView } from '#src/http/node-view.js'
import { ask, type Ref, type ReplyTo } from '#src/kernel/ref.js'
import type { EventFeed } from '#src/ports/events.js'
import type { ReadLogs } from '#src/ports/streams.js'
import type { Environment } from './environment.js'
import { convergeThrough, type HostSync } from './host-sync.js'
import type { Readers } from './readers.js'

const adoptDeadlineMs = 280_000

export interface NodeFacts {
  readonly version: string
  readonly town: string
  readonly environment: Environment
  readonly mode: Mode
  readonly bootMs: number
  readonly requests: () => number
  readonly gate: Ref<Adopt>
  readonly sync: HostSync
  readonly syncDoor: Ref<RepositorySyncMessage>
  readonly events: EventFeed
  readonly logs: ReadLogs
  readonly jobs: JobsView
  readonly readers: Readers
}

/** What handlers may ask of this node. */
export const nodeViewOf = (facts: NodeFacts): NodeView => {
  const memory = memoryGauge()
  return {
    version: facts.version,
    bootId: randomUUID(),
    bootMs: facts.bootMs,
    pid: process.pid,
    town: facts.town,
    mode: () => facts.mode,
    requestCount: facts.requests,
    memory,
    contract: facts.environment.contract,
    imageDigest: facts.environment.imageDigest,
    sync: facts.sync.view,
    converge: convergeThrough(facts.syncDoor),
    recordedLint: facts.sync.lint.get,
    events: facts.events,
    logs: facts.logs,
    readers: { threads: facts.readers.threads, live: facts.readers.desk.live },
    jobs: facts.jobs,
    adopt: async (dryRun): Promise<AdoptOutcome> => {
      const asked = (replyTo: ReplyTo<AdoptOutcome>): Adopt => ({ _tag: 'Adopt', dryRun, replyTo })
      const answer = await ask<Adopt, AdoptOutcome>(facts.gate, asked, adoptDeadlineMs)
      return isLeft(answer)
        ? left(refuse('Overloaded', 'The write gate is away or full; try again in a moment.'))
        : answer.right
    },
  }
}
