import { renderRules } from '#src/reference/monitoring/rules.js'
import { botToken, chatFiles, chatSettings } from '#test/scenario/dispatch/chat-settings.js'
import { type ChatSide, openChatSide } from '#test/scenario/dispatch/chat-side.js'
import { openCleanup } from '#test/scenario/world/cleanup.js'
import type { Story } from '#test/scenario/world/story.js'
import { type FleetWorld, openFleetWorld, type TownName } from '#test/scenario/world/world.js'
import { findFreePort } from '#test/support/free-port.js'
import { type PrometheusServer, startPrometheus } from '../prometheus-server.js'

/** A minute of the rules, and of the interval of a converge, is a second here. */
const timeDivisor = 60
const syncIntervalMin = 15 / timeDivisor

/** Three built daemons with a chat platform, the targets of one job of Prometheus. */
export interface WatchedFleet {
  readonly world: FleetWorld
  readonly side: ChatSide
  readonly prometheus: PrometheusServer
  readonly sinceMs: number
  readonly close: () => Promise<void>
}

/** The host that the worker of the chat forwards to. */
export const chatTown = 'Bracada'

/** Opens the fleet, which runs and is scraped; no host asks for a takeover by itself. The caller closes it. */
export const openWatchedFleet = async (story: Story): Promise<WatchedFleet> => {
  const cleanup = openCleanup()
  const sinceMs = Date.now()
  try {
    const ports = {
      Erathia: await findFreePort(),
      Bracada: await findFreePort(),
      Deyja: await findFreePort(),
    }
    const side = await openChatSide(story, () => world.hosts[chatTown].address())
    cleanup.add(side.chat.close)
    const world: FleetWorld = await openFleetWorld({
      story,
      server: { sync_interval_min: syncIntervalMin },
      serveArgs: (town: TownName) => ['--ops-port', String(ports[town])],
      files: chatFiles,
      integrations: { chat: chatSettings(side.chat.url) },
      env: { SVC_CHAT_BOT_TOKEN: botToken },
    })
    cleanup.add(world.close)
    const targets = Object.fromEntries(
      Object.entries(ports).map(([town, port]) => [town, `127.0.0.1:${port}`]),
    )
    const prometheus = await startPrometheus(targets, renderRules(timeDivisor))
    cleanup.add(prometheus.stop)
    return { world, side, prometheus, sinceMs, close: cleanup.run }
  } catch (error) {
    await cleanup.run().catch(() => undefined)
    throw error
  }
}
