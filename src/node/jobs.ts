import { randomUUID } from 'node:crypto'
import { getOrElseW, left } from 'fp-ts/lib/Either.js'
import type { JobEnded, JobRunnerMessage, JobRunnerPorts, StartOutcome } from '#actors/job-runner.js'
import { refuse } from '#protocol/refusal.js'
import { routes } from '#protocol/routes.js'
import type { Jobs } from '#src/http/handlers/admin.js'
import { type AskFailure, ask, type Ref, type ReplyTo } from '#src/kernel/actor/ref.js'
import { tellWhenRoom } from '#src/kernel/actor/tell-when-room.js'
import { askTrouble } from '#src/kernel/ask-trouble.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { JobStore } from '#src/ports/records.js'
import { adoptThrough, hostWritePort, planPorts, reindexThrough } from './gate/gate.js'
import { performTaskBy } from './tasks.js'
import type { NodeParts } from './tree/node.js'

/** The jobs as handlers use them: `start` goes through the runner, reads go to the store. */
export const jobsThrough = (
  runner: Ref<JobRunnerMessage>,
  store: JobStore,
  failed: (jobId: string, error: unknown) => void,
): Jobs => ({
  start: async (kind, task) => {
    const asked = (replyTo: ReplyTo<StartOutcome>): JobRunnerMessage => ({
      _tag: 'Start',
      kind,
      task,
      replyTo,
    })
    const answer = await ask<JobRunnerMessage, StartOutcome>(runner, asked, startDeadlineMs)
    return getOrElseW(
      (failure: AskFailure): StartOutcome =>
        left(
          refuse(
            'Overloaded',
            `${askTrouble('the job runner', failure)}; if the job started, the log has it. Try again.`,
          ),
        ),
    )(answer)
  },
  find: store.find,
  newId: randomUUID,
  keep: (id, kind, result) => {
    const nowMs = realClock.nowMs()
    try {
      store.queue(id, kind, nowMs)
      store.begin(id, nowMs)
      store.end(id, { _tag: 'Completed', json: JSON.stringify(result) }, nowMs)
    } catch (error) {
      failed(id, error)
    }
  },
})

/** The ports of the job runner on this host. */
export const jobRunnerPorts = (parts: NodeParts): JobRunnerPorts => {
  const { checkout, followers, log, metrics, records, snapshot, tree } = parts
  return {
    store: checkout.runtime.jobs,
    clock: realClock,
    publish: records.publish,
    meter: metrics.meter,
    perform: performTaskBy({
      table: routes,
      adopt: adoptThrough(tree.doors.gate, followers),
      reindex: reindexThrough(tree.doors.gate, followers),
      write: hostWritePort(parts),
      snapshot,
      admit: planPorts(parts).admit,
      rebuildSearch: parts.search.rebuild,
    }),
    works: new Map(),
    ended: tellEnded(tree.doors.jobs),
    failed: (what, jobId, error) => log.error(what, { jobId, error }),
  }
}

const startDeadlineMs = 5_000

/** Sends the end of a job to the runner until its mailbox accepts it: a lost end would block the queue. */
const tellEnded =
  (runner: Ref<JobRunnerMessage>) =>
  async (message: JobEnded): Promise<void> => {
    await tellWhenRoom(runner, message, realClock)
  }
