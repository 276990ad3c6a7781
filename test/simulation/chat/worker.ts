import { isLeft } from 'fp-ts/lib/Either.js'
import type { DispatchKind, DispatchVars, DispatchWanted } from '#protocol/chat/dispatch.js'
import type { WorkerHost } from './chat-host.js'
import type { ChatWorld } from './chat-world.js'
import { enactByPipeline } from './model/keyed-branch.js'

/** An interaction as the worker forwards it, again and again with the same time. */
export interface Forwarded {
  readonly kind: DispatchKind
  readonly wanted: DispatchWanted
}

type Reply = 'accepted' | 'refused' | 'silence'

const timeoutMs = 6_500
const triesMax = 3

const varsOf: Readonly<Record<DispatchKind, DispatchVars>> = {
  close: { SVC_CLOSE_CHAT_ID: '5' },
  report: { SVC_REPORT_B64: 'eA==', SVC_REPORTER_CHAT_ID: '5' },
  query: { SVC_QUERY_INTENT: 'pu', SVC_QUERY_CHAT_ID: '5' },
}

/** A player asks for something: the platform begins an interaction, and the worker forwards it. */
export const beginInteraction = (world: ChatWorld, number: number): Forwarded => {
  const { platform, weather } = world
  const id = String(1_000 + number)
  const token = `token-${id}`
  platform.beginInteraction(token)
  const kind: DispatchKind = weather.happens(0.5) ? 'query' : weather.happens(0.6) ? 'close' : 'report'
  const skewMs = weather.happens(0.1) ? weather.between(-3_000, 3_000) : 0
  return {
    kind,
    wanted: {
      interactionId: id,
      sentAtEpochMs: world.nowMs() + skewMs,
      vars: { ...varsOf[kind], SVC_INTERACTION_TOKEN: token, SVC_APPLICATION_ID: '42' },
      ...(weather.happens(0.5) ? { kind } : {}),
    },
  }
}

/** The host takes the request; null where no process does, or it dies before its answer. */
const receive = async (world: ChatWorld, host: WorkerHost, { kind, wanted }: Forwarded): Promise<Reply> => {
  const { checks } = world
  const { running } = host
  if (running === null) return 'silence'
  const received = { wanted, nowMs: world.nowMs(), dryRun: false, findClosedArm: () => host.closedArm }
  checks.answers.onForwarded(host, wanted.interactionId)
  const answer = await checks.receipt.receive(
    { host, kind, received },
    running.desk,
    () => running.life.isOver,
  )
  if (answer === null) return 'silence'
  return isLeft(answer) ? 'refused' : 'accepted'
}

/** Sends the request once to the apex of the moment; requests and answers may be slow or lost. */
const sendOnce = async (world: ChatWorld, forwarded: Forwarded): Promise<Reply> => {
  const { weather, sleep, trace } = world
  const { between, mishap } = weather
  const host = world.apex()
  await sleep(mishap(0.08) ? between(1_000, 6_000) : between(1, 120))
  if (mishap(0.03)) return 'silence'
  // A proxy repeats a request at once.
  if (mishap(0.05)) void receive(world, host, forwarded)
  const reply = await receive(world, host, forwarded)
  if (reply === 'silence') return reply
  if (mishap(0.12)) {
    if (reply === 'accepted') trace.mark('the answer to an accepted interaction was lost')
    return 'silence'
  }
  await sleep(between(1, 120))
  return reply
}

const sendInTime = async (world: ChatWorld, forwarded: Forwarded): Promise<Reply> => {
  const answered = sendOnce(world, forwarded)
  const late = world.sleep(timeoutMs).then((): Reply => 'silence')
  const reply = await Promise.race([answered, late])
  // A lost answer is a time-out.
  return reply === 'silence' ? late : reply
}

/**
 * Forwards an interaction until it has an answer, three times in all. What is refused, or has no answer, goes to the
 * pipeline; a query is given up.
 */
export const forward = async (world: ChatWorld, forwarded: Forwarded): Promise<void> => {
  const { weather, branch, trace, sleep } = world
  for (let tries = 0; tries < triesMax; tries += 1) {
    if (weather.mishap(0.1)) {
      void sendOnce(world, forwarded)
      if (weather.mishap(0.05)) world.moveApex()
    }
    const reply = await sendInTime(world, forwarded)
    if (reply === 'accepted') return
    if (reply === 'refused') break
    await sleep(weather.between(0, 4_000))
  }
  if (forwarded.kind === 'query') return
  await enactByPipeline({ branch, weather, trace, sleep }, forwarded.wanted.interactionId)
}

/** The worker forwards an interaction once more, long after it was answered. */
export const forwardAgain = async (world: ChatWorld, forwarded: Forwarded): Promise<void> => {
  await sendInTime(world, forwarded)
}
