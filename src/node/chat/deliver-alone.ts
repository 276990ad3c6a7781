import { chatCourier } from '#actors/chat/chat-courier.js'
import { chatSender } from '#actors/chat/chat-sender.js'
import type { Config } from '#protocol/host/config.js'
import { tellWhenRoom } from '#src/kernel/actor/tell-when-room.js'
import { openKernel } from '#src/kernel/kernel.js'
import { realClock } from '#src/kernel/time/clock.js'
import { delivery as policy } from '#supervisors/delivery.js'
import { noMeter } from '../gate/enact-alone.js'
import type { Secrets } from '../identity/secrets.js'
import { packageVersion } from '../package-files.js'
import type { Log } from '../records/records.js'
import type { Checkout } from '../start/checkout.js'
import { chatCourierPorts, limitRules } from './chat.js'
import { chatSenderPorts, nodeDelivery } from './delivery.js'
import { nodeReleaseNotices } from './enactment-notices.js'

/** A checkout that this process holds, and what its messages are sent with. */
interface LoneSender {
  readonly checkout: Checkout
  readonly config: Config
  readonly secrets: Secrets
  readonly warn: Log['warn']
}

/**
 * Sends the messages that wait in the state area of a checkout without a daemon: released, sent and repeated by the
 * actors of the daemon, for at most `limitMs`. What is not sent by then stays in the state area. Returns why this
 * process can send none, and null otherwise.
 */
export const deliverAlone = async (
  { checkout, config, secrets, warn }: LoneSender,
  limitMs = 60_000,
): Promise<string | null> => {
  const kernel = openKernel()
  const [courier, sender] = [kernel.place(chatCourier(limitRules(config))), kernel.place(chatSender)]
  const log: Log = { debug: none, info: none, warn, error: warn, flush: none }
  const sources = { config, secrets, checkout, meter: noMeter, log }
  const delivery = nodeDelivery({ ...sources, refs: { chat: courier.ref, outbox: sender.ref } })
  if (delivery.whyNot !== null) return delivery.whyNot.detail
  const child = { restart: 'permanent', drainMs: 4_000, onGiveUp: 'abandon' } as const
  const tree = kernel.run(
    {
      ...policy,
      children: [
        { id: 'chat-courier', ...child },
        { id: 'chat-sender', ...child },
      ],
    },
    {
      'chat-courier': courier.with(chatCourierPorts({ ...sources, version: packageVersion() })),
      'chat-sender': sender.with(
        chatSenderPorts({
          ...{ ...sources, ...delivery, store: checkout.runtime.deliveries, nowMs: realClock.nowMs },
          tell: message => tellWhenRoom(sender.ref, message, realClock),
        }),
      ),
    },
    () => undefined,
  )
  const untilMs = realClock.monotonicMs() + limitMs
  const setup = {
    publishMode: config['server.publish_mode'],
    intervalMs: config['server.sync_interval_min'] * 60_000,
    convergeMsMax: limitMs,
  }
  await nodeReleaseNotices({ ...sources, sync: { setup } }, delivery)(false)
  while (waitingIn(checkout) > 0 && realClock.monotonicMs() < untilMs)
    await new Promise(resolve => setTimeout(resolve, lookMs))
  await tree.drain(5_000)
  return null
}

/** How many wait in the state area of a checkout: writes with notices, and messages of the outbox. */
export const waitingIn = ({ runtime: { deliveries } }: Pick<Checkout, 'runtime'>): number =>
  deliveries.owing().length +
  deliveries.counts().reduce((sum, { status, count }) => sum + (status === 'queued' ? count : 0), 0)

const lookMs = 50

const none = (): void => undefined
