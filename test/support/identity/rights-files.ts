import { type Day, dayOf } from '#protocol/atoms.js'
import type { Dated, Rights } from './rights-model.js'

const firstMs = Date.parse('2026-06-15T00:00:00Z')
const dayMs = 86_400_000

/** A day of the model as a calendar day. */
export const calendarDay = (day: number): Day => {
  const found = dayOf(new Date(firstMs + day * dayMs).toISOString().slice(0, 10))
  if (found === null) throw new Error(`not a day: ${day}`)
  return found
}

const rangeOf = ({ from, to }: Dated): string =>
  from === null && to === null
    ? ''
    : ` (${from === null ? '' : calendarDay(from)}:${to === null ? '' : calendarDay(to)})`

const since = '2026-01-01T00:00:00Z'

/** The contributor store for the model's state. */
export const storeText = ({ people }: Rights): string =>
  `## Gracz\n${Object.entries(people)
    .map(([name, { ids, roles }]) =>
      [
        `### ${name}`,
        ...Object.entries(ids).map(([id, range]) => `- @gameid: ${id}${rangeOf(range)}`),
        ...Object.entries(roles).map(([role, range]) => `- @rola: ${role}${rangeOf(range)}`),
      ].join('\n'),
    )
    .join('\n\n')}\n`

export const grantsText = ({ granted }: Rights): string =>
  JSON.stringify({ grants: granted.map(([gameId, capability]) => ({ gameId, capability, since, by: 'P' })) })

export const rightsBindingsText = ({ linked }: Rights): string =>
  JSON.stringify({
    bindings: Object.entries(linked).map(([chatId, gameId]) => ({ chatId, gameId, since, by: 'P' })),
  })

export const rightsRolesText = ({ bundles }: Rights): string => JSON.stringify({ roles: bundles })
