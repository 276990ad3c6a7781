import { contractChatId } from '#test/support/contract-world.js'

const none = { path: {}, query: {} } as const

/** Samples of the rows that bind accounts of the chat, and that answer the chat's worker. */
export const chatSamples = {
  'auth.link': { ...none, body: { gameId: '41002', chatId: '1002' }, says: '"linked"' },
  'workflows.registerByChat': {
    ...none,
    body: { chatId: '1002', guildId: '900', gameId: '41002' },
    says: '"registered"',
  },
  'workflows.whoamiByChat': {
    ...none,
    body: { chatId: contractChatId, guildId: '900' },
    says: '"gracz":"Żaneta"',
  },
  'workflows.peopleByChat': { ...none, body: { prefix: 'żan' }, says: '"linked":true' },
  'workflows.assignByChat': {
    ...none,
    body: { chatId: '1009', targetChatId: '1002', gameId: '41001', guildId: '900', roles: ['77'] },
    says: '"assigned"',
  },
} as const
