import { randomUUID } from 'node:crypto'
import { isLeft, left } from 'fp-ts/lib/Either.js'
import type { AdoptOutcome } from '#actors/write-gate/adopt.js'
import type { Adopt } from '#actors/write-gate/messages.js'
import type { Config } from '#protocol/config/keys.js'
import type { Mode } from '#protocol/discovery/mode.js'
import { refuse } from '#protocol/refusal.js'
import { memoryGauge } from '#src/adapters/memory.js'
import type { JobsView, NodeView, SyncView } from '#src/http/node-view.js'
import { ask, type Ref, type ReplyTo } from '#src/kernel/ref.js'
import type { EventFeed } from '#src/ports/events.js'
import type { ReadLogs } from '#src/ports/streams.js'
import type { Environment } from './environment.js'
import type { Readers } from './readers.js'

const adoptDeadlineMs = 280_000

/** Convergence is the business of a later part: until it is built it is off, and says so (D20). */
const syncOff = (config: Config): SyncView => ({
  enabled: false,
  publishMode: config['server.publish_mode'],
  intervalMinutes: config['server.sync_interval_min'],
  stale: false,
  staleAfterMinutes: config['server.sync_max_age_min'],
  lastConvergeOkMs: null,
  lastAction: null,
})

export interface NodeFacts {
  readonly version: string
  readonly town: string
  readonly environment: Environment
  readonly config: Config
  readonly mode: Mode
  readonly bootMs: number
  readonly requests: () => number
  readonly gate: Ref<Adopt>
  readonly events: EventFeed
  readonly logs: ReadLogs
  readonly jobs: JobsView
  readonly readers: Readers
}

/** What handlers may ask of this node. */
export const nodeViewOf = (facts: NodeFacts): NodeView => {
  const memory = memoryGauge()
  const sync = syncOff(facts.config)
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
    sync: () => sync,
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
