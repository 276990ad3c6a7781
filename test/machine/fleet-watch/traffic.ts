import { equal } from 'node:assert/strict'
import { channel } from '#test/scenario/dispatch/chat-settings.js'
import { playerQuery } from '#test/scenario/dispatch/chat-side.js'
import { claimAnswered } from '#test/scenario/dispatch/steps.js'
import { writeOn } from '#test/scenario/failover/steps.js'
import { errorBody, rateLimitReply } from '#test/support/chat/chat-double.js'
import { eventually } from '#test/support/daemon.js'
import type { Reply } from '#test/support/http-client.js'
import { chatTown, type WatchedFleet } from './watched-fleet.js'

const sendMessage = ({ world }: WatchedFleet): Promise<Reply> =>
  world.hosts[chatTown].ask('/chat/send', {
    method: 'POST',
    body: JSON.stringify({ ...channel, message: 'Cześć' }),
  })

const claimSent = (fleet: WatchedFleet): Promise<void> =>
  fleet.world.story.claim('a message is sent', async () => {
    equal((await sendMessage(fleet)).status, 200)
  })

const playRound = async (fleet: WatchedFleet, nth: number): Promise<void> => {
  const { world, side } = fleet
  const query = playerQuery(String(900_100_200_300_600 + nth))
  equal(await side.worker.forward(query), 'accepted')
  await claimAnswered(side, query)
  await claimSent(fleet)
  equal(await writeOn(world, world.hosts.Erathia, nth), 200)
}

/** Series that begin with the first round, one of each thing that happens in it. */
const begun = ['svc_dispatch_attempts_count', 'svc_chat_deliveries_total', 'svc_write_batch_writes_count']

/**
 * A player asks, messages are sent and writes are made, in two rounds: Prometheus has seen the series of the first one
 * when the second begins, since a rate is what a series grows by.
 */
export const playTraffic = async (fleet: WatchedFleet): Promise<void> => {
  await playRound(fleet, 0)
  for (const name of begun)
    await eventually(
      () => fleet.prometheus.query(`${name} > 0`),
      series => series.length > 0,
    )
  await playRound(fleet, 1)
}

/**
 * The platform limits the host once, and then refuses its token, so that the courier makes no more calls. Returns the
 * answer to the message that waits.
 */
export const shutCourier = async (fleet: WatchedFleet): Promise<{ readonly waiting: Promise<Reply> }> => {
  const { chat } = fleet.side
  chat.script(rateLimitReply(1, 'shared'))
  await claimSent(fleet)
  chat.script({ status: 401, body: errorBody('401: Unauthorized') })
  return { waiting: sendMessage(fleet) }
}
