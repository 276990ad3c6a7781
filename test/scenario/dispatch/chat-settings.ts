import { linkedFiles } from '#test/support/identity/linked-world.js'

/** The bot token of the hosts. */
export const botToken = 'planted-bot-token-of-the-scenario'

/** The account that is bound to Brzoza. */
export const player = '111'

/** The account that is bound to the councillor Karol. */
export const councillor = '333'

/** The header of a session that is open. */
export const openSession = '2026-05-10, Most, Brzoza'

/** The channel of the platform's double, by its names. */
export const channel = { category: 'sesje', channel: 'solmyr-kanał' }

/** The lore of a world whose players ask through the chat. */
export const chatFiles = { ...linkedFiles, 'sesje/2026.md': `### ${openSession}\n\nOpis.\n` }

/** `integrations.chat` of a host that calls the platform at this address. */
export const chatSettings = (apiUrl: string): object => ({
  api_url: apiUrl,
  guild_id: '100',
  client_id: '42',
})
