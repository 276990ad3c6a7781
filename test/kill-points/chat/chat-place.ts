import { type KillPlace, openPlace } from '../place.js'
import { openChatPlatform } from './chat-platform.js'

const configPath = '.svc/config.json'

/** The account that is bound to a person of `chatFiles`. */
export const askerId = '111'

/** The channel that the platform has, by its names. */
export const platformChannel = { category: 'sesje', channel: 'solmyr-kanał' }

/** No limit of the daemon is shown here: an interaction is never stale, and a message never waits for the rate. */
const chatOf = (apiUrl: string): object => ({
  api_url: apiUrl,
  guild_id: '100',
  client_id: '42',
  rate_per_minute: 60_000,
  converge_announce: { channel: Object.values(platformChannel).join('/') },
  dispatch: { window_ms: 600_000, worker_timeout_ms: 601_500 },
})

/** A place whose daemon calls a chat platform. */
export const openChatPlace = async (
  files: Readonly<Record<string, string>>,
  hasRemote: boolean,
): Promise<KillPlace> => {
  const chat = await openChatPlatform()
  const config = JSON.parse(files[configPath] ?? '{}') as object
  const text = `${JSON.stringify({ ...config, integrations: { chat: chatOf(chat.url) } })}\n`
  const place = openPlace({ ...files, [configPath]: text }, hasRemote)
  return {
    ...place,
    chat,
    serving: { args: [], env: { SVC_CHAT_BOT_TOKEN: 'planted-bot-token-of-the-kill-points' } },
    dispose: () => {
      void chat.close()
      place.dispose()
    },
  }
}

/** The platform of a place that has one. */
export const platformOf = ({ chat }: KillPlace) => {
  if (chat === null) throw new Error('the scenario has no chat platform')
  return chat
}
