/** Values held from a day to a day, both inclusive; null is open. Days are whole numbers here. */
export interface Dated {
  readonly from: number | null
  readonly to: number | null
}

type Had = Readonly<Record<string, Dated>>

/** Everything that rights derive from, in a simple form. */
export interface Rights {
  readonly today: number
  readonly people: Readonly<Record<string, { readonly ids: Had; readonly roles: Had }>>
  readonly bundles: Readonly<Record<string, ReadonlyArray<string>>>
  readonly granted: ReadonlyArray<readonly [gameId: string, capability: string]>
  readonly linked: Readonly<Record<string, string>>
}

/** The result of a request: 401, 403, the caller's own, or everything. */
export type RightVerdict = 'nobody' | 'none' | 'own' | 'full'

const had = ({ today }: Rights, all: Had): ReadonlyArray<string> =>
  Object.entries(all).flatMap(([what, { from, to }]) =>
    (from === null || from <= today) && (to === null || today <= to) ? [what] : [],
  )

/** A 5.2 in a few lines, for the given capabilities; only `admin.all` implies `docs.edit` (A 5). */
export const rightVerdictOf = (given: ReadonlyArray<string>, capability: string): RightVerdict => {
  const resource = capability.split('.')[0] ?? ''
  const enough = ['admin.all']
  if (resource !== 'docs') enough.push(capability, `${resource}.all`, capability.replace(/\.own$/, ''))
  if (given.some(one => enough.includes(one))) return 'full'
  return resource !== 'sync' && resource !== 'docs' && given.includes(`${capability}.own`) ? 'own' : 'none'
}

const reckonGiven = (rights: Rights, gameId: string): ReadonlyArray<string> | null => {
  const owners = Object.values(rights.people).filter(({ ids }) => had(rights, ids).includes(gameId))
  const [owner] = owners
  if (owner === undefined || owners.length > 1 || had(rights, owner.ids).length > 1) return null
  const bundles = ['gracz', ...had(rights, owner.roles)].flatMap(role => rights.bundles[role] ?? [])
  return [...bundles, ...rights.granted.flatMap(([id, capability]) => (id === gameId ? [capability] : []))]
}

/** Caches results for an unchanged state, because a test asks for each request. */
const reckoned = new WeakMap<Rights, Map<string, ReadonlyArray<string> | null>>()

/**
 * The capabilities of a game id now; null where no Gracz or several have it, or its Gracz also has another
 * one.
 */
export const capabilitiesGivenTo = (rights: Rights, gameId: string): ReadonlyArray<string> | null => {
  const known = reckoned.get(rights) ?? new Map<string, ReadonlyArray<string> | null>()
  reckoned.set(rights, known)
  const kept = known.get(gameId)
  if (kept !== undefined) return kept
  const given = reckonGiven(rights, gameId)
  known.set(gameId, given)
  return given
}

/** The result of a request with a login of a game id; a login of a chat account also needs its link. */
export const sessionVerdict = (
  rights: Rights,
  { gameId, chatId }: { readonly gameId: string; readonly chatId: string | null },
  capability: string,
): RightVerdict => {
  const given = capabilitiesGivenTo(rights, gameId)
  const linked = chatId === null || rights.linked[chatId] === gameId
  return given === null || !linked ? 'nobody' : rightVerdictOf(given, capability)
}
