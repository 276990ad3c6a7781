import type { KernelRecord } from '#src/kernel/actor/record.js'
import type { KernelMeter } from '#src/kernel/meter.js'
import { makeCountingMeter } from '#test/support/kernel/kernel-meter.js'

/** Budget of one child, as the tree was built: what the checker of intensity expects. */
export interface RestartBudget {
  readonly group: string
  readonly restartsMax: number
  readonly windowMs: number
}

/** Sees everything that happens in one simulated kernel, by itself, and writes down what must not be. */
export interface KernelWitness {
  readonly meter: KernelMeter & { readonly settled: (actor: string) => number }
  readonly log: (record: KernelRecord) => void
  readonly violations: ReadonlyArray<string>
  /** Two 32-bit halves over all that was seen, times included. */
  readonly hash: () => string
  readonly events: () => number
  readonly trace: (text: string) => void
  readonly violation: (text: string) => void
  readonly accepted: (actor: string, id: number, mailboxMax: number) => void
  /** Told that the actor was gone: one dead letter that was never accepted. */
  readonly gone: (actor: string) => void
  readonly received: (actor: string, id: number, incarnation: string) => void
  readonly isEnded: (incarnation: string) => boolean
  readonly deliveredTo: (id: number) => string | undefined
  /** Compares what was sent and what became of it, once all is over (S33). */
  readonly balance: (actor: string, sent: number) => void
  /** A budget exceeded without consequence, seen when things have come to rest. */
  readonly checkBudgets: () => void
}

interface ActorView {
  accepted: number
  gone: number
  delivered: number
  dead: number
}

const prime = 0x01000193

export const witness = (nowMs: () => number, budgets: ReadonlyMap<string, RestartBudget>): KernelWitness => {
  const violations: string[] = []
  const views = new Map<string, ActorView>()
  const delivered = new Map<number, string>()
  const ended = new Set<string>()
  const counting = makeCountingMeter()
  const faultTimes = new Map<string, number[]>()
  const overdrawn = new Set<string>()
  let low = 0x811c9dc5
  let high = 0x01234567
  let events = 0

  const violation = (text: string): void => {
    violations.push(`at ${nowMs()} ms: ${text}`)
  }
  const trace = (text: string): void => {
    events += 1
    const line = `${nowMs()} ${text}\n`
    for (let at = 0; at < line.length; at += 1) {
      low = Math.imul(low ^ line.charCodeAt(at), prime) >>> 0
      high = Math.imul(high ^ (line.charCodeAt(at) + 31), prime) >>> 0
    }
  }
  const viewOf = (actor: string): ActorView => {
    const known = views.get(actor) ?? { accepted: 0, gone: 0, delivered: 0, dead: 0 }
    views.set(actor, known)
    return known
  }
  const overdraw = (child: string): void => {
    const budget = budgets.get(child)
    if (budget === undefined) return
    const recent = (faultTimes.get(child) ?? []).filter(atMs => nowMs() - atMs < budget.windowMs)
    recent.push(nowMs())
    faultTimes.set(child, recent)
    if (recent.length > budget.restartsMax) overdrawn.add(child)
  }
  const giveUpOf = (child: string): void => {
    if (!overdrawn.delete(child)) violation(`${child} was given up within its budget`)
  }
  const startAnew = (child: string): void => {
    const group = budgets.get(child)?.group
    for (const [name, budget] of budgets) if (budget.group === group) faultTimes.delete(name)
  }
  const log = (record: KernelRecord): void => {
    trace(`${record.event} ${'actor' in record ? record.actor : ''}`)
    if (record.event === 'fault') {
      ended.add(record.incarnation)
      overdraw(record.actor)
    }
    if (record.event === 'escalated') {
      giveUpOf(record.child)
      startAnew(record.child)
      overdraw(record.supervisor)
    }
    if (record.event === 'abandoned') giveUpOf(record.actor)
  }
  return {
    meter: {
      ...counting,
      deadLetter: (actor, reason) => {
        viewOf(actor).dead += 1
        counting.deadLetter(actor, reason)
        trace(`dead ${actor} ${reason}`)
      },
      messageDone: (actor, message, result) => {
        counting.messageDone(actor, message, result)
        trace(`done ${actor} ${message} ${result}`)
      },
    },
    log,
    violations,
    hash: () => `${low.toString(16)}${high.toString(16)}`,
    events: () => events,
    trace,
    violation,
    accepted: (actor, _id, mailboxMax) => {
      const view = viewOf(actor)
      view.accepted += 1
      const waiting = view.accepted + view.gone - view.delivered - view.dead
      if (waiting > mailboxMax) violation(`${actor} holds ${waiting} messages, may hold ${mailboxMax}`)
    },
    gone: actor => {
      viewOf(actor).gone += 1
    },
    received: (actor, id, incarnation) => {
      viewOf(actor).delivered += 1
      if (delivered.has(id)) violation(`${actor} got message ${id} again (L7)`)
      delivered.set(id, incarnation)
      trace(`received ${actor} ${id} ${incarnation}`)
    },
    isEnded: incarnation => ended.has(incarnation),
    deliveredTo: id => delivered.get(id),
    balance: (actor, sent) => {
      const view = viewOf(actor)
      if (view.accepted + view.gone !== view.delivered + view.dead)
        violation(
          `${actor}: ${view.accepted} accepted, ${view.delivered} delivered and ${view.dead} dead (S33)`,
        )
      if (counting.settled(actor) !== sent)
        violation(`${actor}: ${sent} sent, ${counting.settled(actor)} settled (S33)`)
    },
    checkBudgets: () => {
      for (const child of overdrawn) violation(`${child} exceeded its budget and nothing followed`)
    },
  }
}
