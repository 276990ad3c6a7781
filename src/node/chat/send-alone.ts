import { chatCourier } from '#actors/chat/chat-courier.js'
import type { Config } from '#protocol/host/config.js'
import { openKernel } from '#src/kernel/kernel.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { Meter } from '#src/ports/records.js'
import { delivery } from '#supervisors/delivery.js'
import type { Secrets } from '../identity/secrets.js'
import { packageVersion } from '../package-files.js'
import type { Log } from '../records/records.js'
import type { Checkout } from '../start/checkout.js'
import { convergeMsMax } from '../sync/sync.js'
import { chatCourierPorts, chatOf, limitRules, openWakeSignal, whyNoMessages } from './chat.js'
import { chatSenderPorts, guildChannelsOf } from './delivery.js'
import { nodeReleaseNotices } from './enactment-notices.js'

export interface LoneSender {
  readonly config: Config
  readonly secrets: Secrets
  readonly checkout: Checkout
  readonly meter: Meter
  readonly log: Log
}

/**
 * Sends the notices of the writes that a held checkout made without a daemon, by the functions of the daemon, and ends
 * when none is queued or after five minutes. What is left, and why, is logged; it stays in the outbox of the checkout
 * and leaves with the next command or host that holds it. Never rejects because of the platform.
 */
export const sendAlone = async (sender: LoneSender): Promise<void> => {
  const { config, secrets, checkout, log } = sender
  const publishMode = config['server.publish_mode']
  const intervalMs = config['server.sync_interval_min'] * 60_000
  const setup = { publishMode, intervalMs, convergeMsMax }
  // A command has no streams: the next host that serves the checkout writes the audit lines.
  const records = { payOwed: () => Promise.resolve() }
  await nodeReleaseNotices({ ...sender, records, sync: { setup } }, { wake: () => undefined })(true)
  const store = checkout.runtime.deliveries
  const countQueued = (): number => store.counts().find(({ status }) => status === 'queued')?.count ?? 0
  if (countQueued() === 0) return
  const whyNot = whyNoMessages(config, secrets)
  if (whyNot === null) await sendQueued(sender)
  const left = countQueued()
  if (left > 0) log.warn('notices_wait', { messages: left, reason: whyNot?.detail ?? 'they are not due yet' })
}

const limitMs = 300_000
const lookMs = 1_000

const sendQueued = async (sender: LoneSender): Promise<void> => {
  const { config, secrets, checkout } = sender
  const kernel = openKernel()
  const courier = kernel.place(chatCourier(limitRules(config)))
  const ports = chatCourierPorts({ ...sender, version: packageVersion() })
  const tree = kernel.run(
    { ...delivery, children: [{ id: 'chat-courier', restart: 'permanent', drainMs: 4_000 }] },
    { 'chat-courier': courier.with(ports) },
    () => undefined,
  )
  try {
    await tree.ready
    const chat = chatOf(config, secrets, courier.ref)
    await drainOutbox(
      chatSenderPorts({
        ...sender,
        chat,
        store: checkout.runtime.deliveries,
        channels: guildChannelsOf(config, chat, realClock.monotonicMs),
        nowMs: realClock.nowMs,
        wakeSignal: openWakeSignal(),
        // No actor takes the outcome of an attempt, so the attempt records it.
        tell: () => Promise.resolve(false),
      }),
    )
  } finally {
    await tree.drain(5_000)
  }
}

const drainOutbox = async ({
  open,
  heads,
  attempt,
  settle,
}: ReturnType<typeof chatSenderPorts>): Promise<void> => {
  open()
  const untilMs = realClock.nowMs() + limitMs
  for (let waiting = heads(); waiting.length > 0; waiting = heads()) {
    const nowMs = realClock.nowMs()
    if (Math.min(...waiting.map(({ dueMs }) => dueMs)) > untilMs || nowMs > untilMs) return
    const due = waiting.filter(({ dueMs }) => dueMs <= nowMs)
    for (const { id } of due) attempt(id)
    await (due.length > 0 ? settle() : new Promise<void>(resolve => void realClock.after(lookMs, resolve)))
  }
}
