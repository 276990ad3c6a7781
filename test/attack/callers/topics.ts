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

/** Names a file as the document of an own Postać and reads it there; then reads all that there is of the victim. */
export const topicsOfPlayers: Tactic = async ({ own, token, fire }) => {
  const target = segment(own ?? aim.character)
  for (const value of files) {
    await fire({ method: 'PATCH', path: `/characters/${target}`, body: { tag: 'plik', value } })
    await fire({ method: 'GET', path: `/entities/${target}/file` })
  }
  for (const shot of readsOf(token, [aim.character, aim.closed, aim.open, aim.victim])) await fire(shot)
}
