import type { Day } from '#protocol/atoms.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { type Entities, type Entity, typeOn } from './entity.js'
import { parentOf } from './places.js'

/**
 * The canonical path of an entity on a day. Every member of a cycle has its flat path (FORMATS 1.7). Above 40
 * places the rest appears as `…` (ADR 1028).
 */
export const canonicalPath = (entities: Entities, entity: Entity, day: Day): CanonicalPath => {
  const type = typeOn(entity, day)
  if (type !== 'Lokacja') return { path: `${type}/${entity.name}`, ancestors: [], cycle: false }
  const { chain, raw, back } = climb(entities, entity, day, { most: depthMax })
  if (back === 0) return { path: `Lokacja/${entity.name}`, ancestors: [], cycle: true }
  // A place below a cycle is placed under the first member of it.
  const above = chain
    .slice(1, back === null ? undefined : back + 1)
    .map(one => ({ name: one.name, entity: one }))
  const ancestors = [...above, ...(raw === null ? [] : [{ name: raw, entity: null }])].reverse()
  return {
    path: ['Lokacja', ...ancestors.map(one => one.name), entity.name].join('/'),
    ancestors,
    cycle: false,
  }
}

/** One finding for each cycle of places on a day. Linear: no place is climbed twice. */
export const cycleFindings = (entities: Entities, day: Day): ReadonlyArray<Finding> => {
  const known = new Set<Entity>()
  const findings: Array<Finding> = []
  for (const place of entities.byType.get('Lokacja') ?? []) {
    if (known.has(place)) continue
    const { chain, back } = climb(entities, place, day, { known })
    for (const one of chain) known.add(one)
    const first = back === null ? undefined : chain[back]
    if (back !== null && first !== undefined) findings.push(cycleFinding(chain.slice(back), first))
  }
  return findings
}

/** The position of an entity in the tree of places (FORMATS 1.7). */
interface CanonicalPath {
  /** `Type/Name`; for a Lokacja `Lokacja/Top/…/Name`. */
  readonly path: string
  /** Names above it, outermost first. A parent without a block appears with its written name. */
  readonly ancestors: ReadonlyArray<{ readonly name: string; readonly entity: Entity | null }>
  /** Whether it is its own ancestor; its path is then flat. */
  readonly cycle: boolean
}

interface Climb {
  /** The places from the start upward, each once. */
  readonly chain: ReadonlyArray<Entity>
  /** A parent without a block, above the last place of the chain. */
  readonly raw: string | null
  /** Index in the chain at which a cycle closes; null when there is no cycle. */
  readonly back: number | null
}

/**
 * Number of places above one that its path lists. No real world is as deep, and without a limit the paths of
 * all places would grow with the square.
 */
const depthMax = 40
const further = '…'

const climb = (
  entities: Entities,
  start: Entity,
  day: Day,
  {
    known,
    most = Number.POSITIVE_INFINITY,
  }: { readonly known?: ReadonlySet<Entity>; readonly most?: number },
): Climb => {
  const chain: Array<Entity> = []
  const places = new Map<Entity, number>()
  let at: Entity = start
  for (;;) {
    places.set(at, chain.length)
    chain.push(at)
    const parent = parentOf(entities, at, day)
    if (parent === null) return { chain, raw: null, back: null }
    if (parent.place === null) return { chain, raw: parent.text, back: null }
    const back = places.get(parent.place)
    if (back !== undefined) return { chain, raw: null, back }
    if (chain.length > most) return { chain, raw: further, back: null }
    if (known?.has(parent.place) === true) return { chain, raw: null, back: null }
    // Containment is a tree of Lokacje: an entity of another type ends the climb (FORMATS 1.7).
    if (typeOn(parent.place, day) !== 'Lokacja')
      return { chain: [...chain, parent.place], raw: null, back: null }
    at = parent.place
  }
}

const cycleFinding = (members: ReadonlyArray<Entity>, first: Entity): Finding => ({
  kind: 'LocationCycle',
  severity: 'error',
  file: first.file,
  line: first.line,
  subject: first.name,
  reason: `Miejsca leżą w sobie nawzajem: ${[...members, first].map(one => one.name).join(' → ')}.`,
  suggestion: 'Popraw @lokacja jednego z nich.',
})
