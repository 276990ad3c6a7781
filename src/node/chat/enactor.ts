import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { isBlank } from '#protocol/atoms.js'
import type { DispatchKind, DispatchOutcome, DispatchVars } from '#protocol/chat/dispatch.js'
import { errorOf, isPassing, type Refusal, type RefusalTag } from '#protocol/refusal.js'
import { pipelineRefusals } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import { failedAnswer } from '#src/domain/dispatch/settle-attempt.js'
import { chatWritersOf } from '#src/domain/identity/callers.js'
import { type KernelClock, realClock } from '#src/kernel/time/clock.js'
import type { Enactor } from '#src/ports/chat.js'
import type { Command, WritePort } from '#src/writing/command.js'
import { hostWritePort } from '../gate/gate.js'
import type { HostNode } from '../tree/node.js'

/** What carries out interactions on this host. `node` is called when an attempt begins. */
export const hostEnactor = (node: () => HostNode): Enactor =>
  openEnactor({
    write: (...given) => hostWritePort(node())(...given),
    after: realClock.after,
    count: chatId => countFor(node(), chatId),
  })

export interface EnactorPorts extends Pick<KernelClock, 'after'> {
  readonly write: WritePort
  /** Counts a write of a chat account in the limit of own writes. Returns how to take it back; null above the limit. */
  readonly count: (chatId: string) => (() => void) | null
}

/**
 * Carries out interactions by the command that their row by chat makes, with the id of the interaction as its key
 * (docs/spec/dispatch.md#commands). An attempt that is not answered within its budget has failed: the gate drops a
 * write that it has not planned by then, and the next attempt finds the effect of one that it had. An attempt above the
 * limit of the person's own writes has failed too; what is not enacted does not count.
 */
export const openEnactor = ({ write, after, count }: EnactorPorts): Enactor => ({
  kinds: new Set(['close', 'report']),
  enact: (attempt, budgetMs, signal) =>
    new Promise((resolve, reject) => {
      const { kind } = attempt
      if (kind === 'query') return resolve(failed('a query is no write'))
      const command = commandByVars(kind, attempt.vars, attempt.id)
      const takeBack = count(attempt.vars[accountOf[kind]] ?? '')
      if (takeBack === null)
        return resolve(failed('the person has written too often; server.own_writes_per_minute'))
      let isWanted = true
      const end = (outcome: DispatchOutcome): void => {
        isWanted = false
        cancel()
        resolve(outcome)
      }
      const cancel = after(budgetMs, () =>
        end(failed('the write was not answered in the time of the attempt')),
      )
      signal.addEventListener('abort', () => end(failed('the host ends')), { once: true })
      write(command, () => isWanted && !signal.aborted).then(
        written => {
          if (isLeft(written)) takeBack()
          end(isLeft(written) ? outcomeOf(written.left) : enacted(written.right.body))
        },
        (error: unknown) => {
          takeBack()
          reject(error instanceof Error ? error : new Error(String(error)))
        },
      )
    }),
})

const failed = (reason: string): DispatchOutcome => ({ _tag: 'Failed', reason })

/** An interaction that changes the lore. */
export type EnactedKind = Exclude<DispatchKind, 'query'>

const rowOf = {
  close: 'workflows.closeSessionByChat',
  report: 'workflows.reportSessionByChat',
} as const satisfies Readonly<Record<EnactedKind, string>>

/** The variable that names the account of the chat. */
const accountOf = {
  close: 'SVC_CLOSE_CHAT_ID',
  report: 'SVC_REPORTER_CHAT_ID',
} as const satisfies Readonly<Record<EnactedKind, string>>

/** Counts a write as the front does, in the same limit. */
const countFor = ({ snapshot, writeLimit }: HostNode, chatId: string): ReturnType<EnactorPorts['count']> => {
  const ground = snapshot()
  const people = ground === null ? [] : chatWritersOf(ground, chatId)
  return writeLimit.take(people, realClock.monotonicMs()) === null
    ? () => writeLimit.giveBack(people, realClock.monotonicMs())
    : null
}

const bodyOf: Readonly<Record<EnactedKind, (vars: DispatchVars) => object>> = {
  close: vars => ({
    chatId: vars[accountOf.close],
    ...optional('header', vars['SVC_CLOSE_HEADER']),
    ...optional('note', vars['SVC_CLOSE_NOTE']),
  }),
  report: vars => ({ chatId: vars[accountOf.report], reportB64: vars['SVC_REPORT_B64'] }),
}

/** A variable that may be missing; a blank one counts as missing. */
const optional = (field: string, value: string | undefined): object =>
  value === undefined || isBlank(value) ? {} : { [field]: value }

/** The command of an interaction, by its variables. Its effect is found by `interactionId`; null: by none. */
export const commandByVars = (
  kind: EnactedKind,
  vars: DispatchVars,
  interactionId: string | null,
): Command => {
  const row = rowOf[kind]
  const { method, path } = routes[row]
  return {
    actor: { name: 'dispatch', gracz: null, kind: 'machine' },
    route: `${method} ${path}`,
    row,
    asker: { _tag: 'Host' },
    grade: 'full',
    path: {},
    query: {},
    body: { ...bodyOf[kind](vars), ...(interactionId === null ? {} : { interactionId }) },
    prepared: null,
    dryRun: false,
    wants: null,
  }
}

const Announced = t.type({ announcement: t.string })

const enacted = (body: unknown): DispatchOutcome => {
  if (!Announced.is(body)) throw new Error('the answer of a row by chat has no announcement')
  return { _tag: 'Enacted', answer: body.announcement }
}

/** The sentence for a player whose write is refused, where no later attempt follows. */
export const answerRefused = (refusal: Refusal): string => {
  const outcome = outcomeOf(refusal)
  return outcome._tag === 'Refused' ? outcome.answer : failedAnswer
}

const arms: ReadonlySet<RefusalTag> = new Set(pipelineRefusals.write)
/** Refusals of the checkout, and those whose cause may pass. */
const ofCheckout: ReadonlySet<RefusalTag> = new Set([
  'WorkTreeDirty',
  'HeadDetached',
  'RepositoryLocked',
  'CheckoutBlocked',
  'Internal',
])

/** A closed gate holds an interaction, a cause that may pass fails the attempt, and any other refusal is the answer. */
const outcomeOf = ({ _tag, detail }: Refusal): DispatchOutcome => {
  if (arms.has(_tag)) return { _tag: 'Held', reason: `the write gate is closed: ${_tag}` }
  if (isPassing(_tag) || ofCheckout.has(_tag)) return failed(`${_tag}: ${detail}`)
  return { _tag: 'Refused', reason: errorOf(_tag), answer: detail }
}
