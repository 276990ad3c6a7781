import { isLeft } from 'fp-ts/lib/Either.js'
import { reminderRoutes } from '#protocol/enactments/reminder.js'
import type { Config } from '#protocol/host/config.js'
import { gateRefusal } from '#src/domain/admin/gate-arms.js'
import { realClock } from '#src/kernel/time/clock.js'
import { hostWritePort } from '#src/node/gate/gate.js'
import type { HostNode } from '#src/node/tree/node.js'
import type { Clock } from '#src/ports/clock.js'
import type { WorkloadRunner } from '#src/ports/host.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Command, WritePort } from '#src/writing/command.js'
import { remindersAt } from '#src/writing/sessions/reminder.js'

/** What a tick of the close reminder asks of its host. */
export interface ReminderPorts {
  /** Null before the first. */
  readonly snapshot: () => Snapshot | null
  /** Whether the gate would accept a write now, and this host can send messages. */
  readonly mayRemind: () => boolean
  readonly write: WritePort
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>
  readonly log: Pick<HostNode['log'], 'info' | 'warn'>
}

/**
 * Looks for narrators to remind every `close_reminder.interval_hours`, and reminds them in one commit. The first look
 * is a tick after the start: the commit has who was reminded, so a restart or a takeover repeats no reminder. A look
 * that could not commit is repeated with the next tick.
 */
export const closeReminder = (intervalMs: number, ports: () => ReminderPorts): WorkloadRunner => {
  let lookedMs: number | null = null
  return {
    intervalMs: tickMs,
    budgetMs: tickMs,
    run: async ({ whyNoPush }) => {
      const { snapshot, mayRemind, write, clock, log } = ports()
      const [beganMs, served] = [clock.monotonicMs(), snapshot()]
      if (served === null || (lookedMs !== null && beganMs - lookedMs < intervalMs) || !mayRemind()) return
      const { due, skipped } = remindersAt(served, clock.nowMs())
      if (due.length > 0) {
        const whyNot = whyNoPush()
        const written = whyNot === null ? await write(command) : null
        if (written === null || isLeft(written)) {
          log.warn('close_reminder_lost', { reason: whyNot ?? written?.left._tag, narrators: due.length })
          return
        }
      }
      lookedMs = beganMs
      const unaddressed = skipped.filter(one => isLeft(one.to)).map(({ narrator }) => narrator)
      log.info('close_reminder_looked', { reminded: due.length, withoutChannel: unaddressed })
    },
  }
}

export const nodeCloseReminder = (config: Config, node: () => HostNode): WorkloadRunner =>
  closeReminder(config['integrations.chat.close_reminder.interval_hours'] * 3_600_000, () =>
    reminderPorts(node()),
  )

/** Between two ticks; each finds out whether it is time to look. */
const tickMs = 60_000

const { method, path } = reminderRoutes['workflows.closeReminder']

const command: Command = {
  actor: { name: 'close_reminder', gracz: null, kind: 'machine' },
  route: `${method} ${path}`,
  row: 'workflows.closeReminder',
  asker: { _tag: 'Host' },
  grade: 'full',
  path: {},
  query: {},
  body: {},
  prepared: null,
  dryRun: false,
  wants: null,
}

const reminderPorts = (node: HostNode): ReminderPorts => ({
  snapshot: node.snapshot,
  mayRemind: () => gateRefusal(node.gate(), false) === null && node.delivery.whyNot === null,
  write: hostWritePort(node),
  clock: realClock,
  log: node.log,
})
