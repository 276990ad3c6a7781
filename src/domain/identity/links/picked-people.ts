import { nameKey } from '#protocol/atoms.js'
import type { PickedPeople, PickedPerson } from '#protocol/chat/workflows.js'
import type { Contributor } from '#src/domain/people/store/roster.js'
import type { Bindings } from './bindings.js'

/** Most entries of a picker of the chat (A 4.4). */
const pickedMax = 25

/**
 * The people to whom an account could be bound and whose name, alias or game id begins with `prefix`; in file
 * order.
 */
export const pickPeople = (
  listed: ReadonlyArray<Contributor>,
  { byGame }: Bindings,
  prefix: string,
): PickedPeople => {
  const key = nameKey(prefix)
  const begins = (name: string): boolean => nameKey(name).startsWith(key)
  const picked: Array<PickedPerson> = []
  for (const { person, gameId, aliases } of listed) {
    if (picked.length === pickedMax) break
    if (gameId === null || ![gameId, person.name, ...aliases].some(begins)) continue
    picked.push({ gameId, name: person.name, linked: byGame.has(gameId) })
  }
  const [only] = picked
  return { count: picked.length, items: picked.length === 1 && only !== undefined ? only : picked }
}
