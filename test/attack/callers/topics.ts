import type { Tactic } from '../caller-case.js'
import { readsOf } from '../rows.js'
import { aim } from '../worlds/base.js'
import { segment } from './path.js'

const files = [
  'Gracze.md',
  '.robot.new/entities.md',
  'stare/gracze-001-ent.md',
  'kontrybutorzy.md',
  '.svc/config.json',
  `Postaci/Gracze/${aim.character}.md`,
  'sesje/zatoka.md',
  './Gracze.md',
  'sesje/../Gracze.md',
]

/** Names a file as the document of an own Postać and reads it there; asks as the worker of the chat does; then reads all that there is of the victim. */
export const topicsOfPlayers: Tactic = async ({ own, token, fire }) => {
  const target = segment(own ?? aim.character)
  for (const value of files) {
    await fire({ method: 'PATCH', path: `/characters/${target}`, body: { tag: 'plik', value } })
    await fire({ method: 'GET', path: `/entities/${target}/file` })
  }
  for (const row of ['people-by-chat', 'whoami-by-chat', 'register-by-chat', 'assign-by-chat'])
    await fire({
      method: 'POST',
      path: `/workflows/${row}?dryRun=true`,
      body: { prefix: '', chatId: '1', targetChatId: '2', guildId: '900', gameId: '41001', roles: ['77'] },
    })
  for (const shot of readsOf(token, [aim.character, aim.closed, aim.open, aim.victim])) await fire(shot)
}
