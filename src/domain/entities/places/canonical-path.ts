import type { Day } from '#protocol/atoms/day.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { Entities, Entity } from '../entity.js'
import { typeOn } from '../state.js'
import { parentOf } from './place.js'

/** Where an entity stands in the tree of places (FORMATS 1.7). */
export interface CanonicalPath {
  /** `Type/Name`, of a Lokacja `Lokacja/Top/…/Name`. */
  readonly path: string
  /** Names above it, outermost first; a parent without a block is told by its written name. */
  readonly ancestors: ReadonlyArray<{ readonly name: string; readonly entity: Entity | null }>
  /** It is its own ancestor: then its path is flat. */
  readonly cycle: boolean
}

interface Climb {
  /** The places from the start upward, each once. */
  readonly chain: ReadonlyArray<Entity>
  /** A parent without a block, above the last of the chain. */
  readonly raw: string | null
  /** Where in the chain the climb came back to; null when it ended. */
  readonly back: number | null
}

/** Places above one that its path names; no world is as deep, and paths of all places would grow with its square. */
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
    // Containment is a tree of Lokacje: what is no Lokacja ends it and is not climbed (FORMATS 1.7).
    if (typeOn(parent.place, day) !== 'Lokacja')
      return { chain: [...chain, parent.place], raw: null, back: null }
    at = parent.place
  }
}

/**
 * The canonical path of an entity on a day. Every member of a cycle has its flat path (FORMATS 1.7). Above 40 places
 * the rest is told as `…` (ADR 1028).
 */
export const canonicalPath = (entities: Entities, entity: Entity, day: Day): CanonicalPath => {
  const type = typeOn(entity, day)
  if (type !== 'Lokacja') return { path: `${type}/${entity.name}`, ancestors: [], cycle: false }
  const { chain, raw, back } = climb(entities, entity, day, { most: depthMax })
  if (back === 0) return { path: `Lokacja/${entity.name}`, ancestors: [], cycle: true }
  // A place below a cycle hangs on the member it reaches first.
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

const cycleFinding = (members: ReadonlyArray<Entity>, first: Entity): Finding => ({
  kind: 'LocationCycle',
  severity: 'error',
  file: first.file,
  line: first.line,
  subject: first.name,
  reason: `Miejsca leżą w sobie nawzajem: ${[...members, first].map(one => one.name).join(' → ')}.`,
  suggestion: 'Popraw @lokacja jednego z nich.',
})

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
