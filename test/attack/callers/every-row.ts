import type { Tactic } from '../caller-case.js'
import { hostileRows, readsOf } from '../rows.js'
import { aim } from '../worlds/base.js'

const shotsAtScaleOne = 120

/** Rows of the table with parameters of the seed, and every read of what is the victim's. */
export const everyRow: Tactic = async ({ chance, token, own, scale, fire }) => {
  const names = [...Object.values(aim), ...(own === null ? [] : [own]), 'Gracze.md', 'sesje/zatoka.md']
  for (const shot of readsOf(token, [aim.character])) await fire(shot)
  for (const shot of hostileRows(chance, token, names, Math.ceil(shotsAtScaleOne * scale))) await fire(shot)
}
