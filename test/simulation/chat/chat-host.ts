import { chatCourier } from '#actors/chat/chat-courier.js'
import { chatSender } from '#actors/chat/chat-sender.js'
import { dispatchQueue } from '#actors/chat/dispatch-queue.js'
import { followUpCourier } from '#actors/chat/follow-up-courier.js'
import { deliveriesIn } from '#src/adapters/runtime/deliveries.js'
import { dispatchesIn } from '#src/adapters/runtime/dispatches.js'
import { openGroupCommit } from '#src/adapters/runtime/group-commit.js'
import type { Sqlite } from '#src/adapters/runtime/sqlite.js'
import { tell } from '#src/kernel/actor/ref.js'
import { tellWhenRoom } from '#src/kernel/actor/tell-when-room.js'
import { type Kernel, openKernel } from '#src/kernel/kernel.js'
import type { ActorTree } from '#src/kernel/run-tree.js'
import { chatOf, limitRules, openWakeSignal, queueClock } from '#src/node/chat/chat.js'
import { chatSenderPorts, type DeliveryOutbox, guildChannelsOf, openOutbox } from '#src/node/chat/delivery.js'
import type { Interactions } from '#src/ports/chat.js'
import { secretOf } from '#src/ports/identity.js'
import { delivery as policy } from '#supervisors/delivery.js'
import { entropyFromSeed } from '#test/support/kernel/entropy-from-seed.js'
import { noMeter } from '#test/support/no-meter.js'
import type { Life } from '../node/weather.js'
import { courierPorts, followUpPortsOf, hostDesk, queuePorts } from './chat-ports.js'
import type { ChatWorld } from './chat-world.js'
import { type TickWitness, witnessTicks } from './checks/witness-ticks.js'
import { databaseOf } from './model/chat-disk.js'

/** What of a host outlives its process, and the one that runs now. */
export interface WorkerHost {
  readonly name: string
  readonly disk: Sqlite
  lives: number
  /** The arm that closes its write gate; null where it is open. */
  closedArm: string | null
  /** Since when the process runs and the disk takes writes; Infinity while one of them is not so. */
  soundSinceMs: number
  running: RunningChat | null
}

/** A process: the real actors over the modelled database, platform and branch. */
export interface RunningChat {
  readonly life: Life
  readonly kernel: Kernel
  readonly tree: ActorTree
  readonly desk: Interactions
  readonly outbox: DeliveryOutbox
  readonly ticks: TickWitness
}

const childOf = <Id extends string>(id: Id) => ({
  id,
  restart: 'permanent' as const,
  drainMs: 4_000,
  onGiveUp: 'abandon' as const,
})

const spec = {
  ...policy,
  children: [
    childOf('chat-courier'),
    childOf('dispatch-queue'),
    childOf('follow-up-courier'),
    childOf('chat-sender'),
  ],
} as const

/** How long the writes of a host gather to one transaction. */
const gatherMsMax = 3

/** Starts the process of a host on what its disk holds. */
export const startChatHost = (world: ChatWorld, host: WorkerHost): void => {
  const { clock, trace, weather, config, checks } = world
  host.lives += 1
  const life: Life = { host: host.name, number: host.lives, isOver: false }
  const entropy = entropyFromSeed(world.seed * 1_000 + world.hosts.indexOf(host) * 100 + host.lives)
  const kernel = openKernel({ clock, checkMessages: true, entropy })
  const database = databaseOf(host.disk, weather, life)
  const deliveries = deliveriesIn(database)
  const store = dispatchesIn(database, deliveries.recordAnswer)
  const groupCommit = openGroupCommit(
    database,
    work => void clock.after(weather.between(0, gatherMsMax), work),
  )
  const queueNowMs = queueClock(clock)
  const courier = kernel.place(chatCourier(limitRules(config)))
  const { actor, ticks } = witnessTicks(dispatchQueue(world.tickRules), world.tickRules, host.name, trace)
  const queue = kernel.place(actor)
  const followUps = kernel.place(followUpCourier)
  const sender = kernel.place(chatSender)
  const signals = { queue: openWakeSignal(), answers: openWakeSignal(), sender: openWakeSignal() }
  const secrets = { chatBotToken: secretOf('bot'), forgeToken: null }
  const chat = chatOf(config, secrets, courier.ref)
  const parts = { world, host, life, store, groupCommit, queueNowMs, entropy, ticks, signals }
  const wake = { _tag: 'Wake' } as const
  const tree = kernel.run(
    spec,
    {
      'chat-courier': courier.with(courierPorts(world)),
      'dispatch-queue': queue.with(queuePorts(parts, () => tell(followUps.ref, wake) === 'accepted')),
      'follow-up-courier': followUps.with(
        followUpPortsOf(parts, heard => tellWhenRoom(followUps.ref, { _tag: 'Heard', heard }, clock)),
      ),
      'chat-sender': sender.with(
        chatSenderPorts({
          store: deliveries,
          chat,
          channels: guildChannelsOf(config, chat, clock.monotonicMs),
          meter: noMeter,
          log: { warn: (event, fields) => checks.outbox.onLog(event, fields) },
          nowMs: world.nowMs,
          wakeSignal: signals.sender,
          tell: async message => !life.isOver && tellWhenRoom(sender.ref, message, clock),
        }),
      ),
    },
    ({ supervisor }) => trace.violation(`${host.name}: ${supervisor} gives up (S33)`),
  )
  host.soundSinceMs = clock.monotonicMs()
  host.running = {
    life,
    kernel,
    tree,
    desk: hostDesk(parts, () => tell(queue.ref, wake) === 'accepted'),
    outbox: openOutbox(deliveries, sender.ref, world.nowMs, () =>
      signals.sender.raise(() => tell(sender.ref, wake) === 'accepted'),
    ),
    ticks,
  }
  trace.say(`${host.name}.${life.number} starts`)
}
