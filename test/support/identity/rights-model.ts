/** What somebody has from a day to a day, both included; null is without an end. Days are whole numbers here. */
export interface Dated {
  readonly from: number | null
  readonly to: number | null
}

type Had = Readonly<Record<string, Dated>>

/** All that rights are made of, as a person would write it on paper. */
export interface Rights {
  readonly today: number
  readonly people: Readonly<Record<string, { readonly ids: Had; readonly roles: Had }>>
  readonly bundles: Readonly<Record<string, ReadonlyArray<string>>>
  readonly granted: ReadonlyArray<readonly [gameId: string, capability: string]>
  readonly linked: Readonly<Record<string, string>>
}

/** What a request gets: 401, 403, the caller's own, or everything. */
export type Verdict = 'nobody' | 'none' | 'own' | 'full'

const had = ({ today }: Rights, all: Had): ReadonlyArray<string> =>
  Object.entries(all).flatMap(([what, { from, to }]) =>
    (from === null || from <= today) && (to === null || today <= to) ? [what] : [],
  )

/** A 5.2 in a few lines, on what was given; nothing gives `docs.edit` but `admin.all` (A 5). */
export const verdictOf = (given: ReadonlyArray<string>, capability: string): Verdict => {
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

/** What was reckoned of rights that stand: a test asks the same of them for each request. */
const reckoned = new WeakMap<Rights, Map<string, ReadonlyArray<string> | null>>()

/** What a game id has now; null where no Gracz has it, several have it, or its Gracz has another one beside it. */
export const givenTo = (rights: Rights, gameId: string): ReadonlyArray<string> | null => {
  const known = reckoned.get(rights) ?? new Map<string, ReadonlyArray<string> | null>()
  reckoned.set(rights, known)
  const kept = known.get(gameId)
  if (kept !== undefined) return kept
  const given = reckonGiven(rights, gameId)
  known.set(gameId, given)
  return given
}

/** What a request with a login of a game id gets; one of a chat account needs its link too. */
export const sessionVerdict = (
  rights: Rights,
  { gameId, chatId }: { readonly gameId: string; readonly chatId: string | null },
  capability: string,
): Verdict => {
  const given = givenTo(rights, gameId)
  const linked = chatId === null || rights.linked[chatId] === gameId
  return given === null || !linked ? 'nobody' : verdictOf(given, capability)
}
