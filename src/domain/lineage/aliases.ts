import { nameKey } from '#protocol/atoms.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { resolveName } from '#src/domain/names/resolve.js'
import { bindingKey, speakerBindings } from '#src/domain/samples/samples.js'
import { guard, type LineageLine, type LineageLore, type SpokenName } from './lineage.js'

/** An alias that the autopilot writes. */
export type AliasLine = Omit<LineageLine, '_tag' | 'tag'> & { readonly _tag: 'Add'; readonly tag: 'alias' }

export interface AliasTick {
  readonly spoken: ReadonlyArray<SpokenName>
  readonly lore: LineageLore
  /** Whether a name is a form of a name of another block than this one. */
  readonly isTaken: (surface: string, owner: Entity) => boolean
  /** Whether a machine wrote this alias once and a person removed it. */
  readonly wasRemoved: (heading: string, surface: string) => boolean
  readonly linesMax: number
}

/**
 * The aliases of a tick: names of two sessions and two transcripts that a ruling, or grammar, gives to one block, and
 * that no other block has among its forms. A name that the lore has already needs none.
 */
export const planAliases = ({
  spoken,
  lore,
  isTaken,
  wasRemoved,
  linesMax,
}: AliasTick): ReadonlyArray<AliasLine> => {
  const lines: Array<AliasLine> = []
  for (const one of spoken) {
    if (lines.length >= linesMax) break
    const { surface, sessions, logs } = one
    if (sessions.size < guard.sessions || logs.size < guard.logs) continue
    const owner = ownerOf(one, lore)
    if (owner === null || isTaken(surface, owner) || wasRemoved(owner.name, surface)) continue
    lines.push({ _tag: 'Add', name: owner.name, type: owner.type, tag: 'alias', value: surface })
  }
  return lines
}

/** The block that a name belongs to and does not name yet; null where there is none, or more than one. */
const ownerOf = ({ surface, sessions }: SpokenName, { names, samples, day }: LineageLore): Entity | null => {
  if (resolveName(names, surface, { upTo: 'alias', day }).stage !== 'miss') return null
  const bindings = speakerBindings(samples)
  const ruled = new Set(
    [...sessions].flatMap(header => {
      const referent = bindings.get(bindingKey(header, surface))
      return referent === undefined ? [] : [referent === null ? null : nameKey(referent)]
    }),
  )
  const [only, other] = ruled
  if (ruled.size > 0) {
    const isOne = other === undefined && only !== null && only !== undefined
    return isOne ? resolveName(names, only, { upTo: 'alias', types: writable }).entity : null
  }
  return resolveName(names, surface, { upTo: 'lemma', types: writable, wholeNames: true }).entity
}

/** The types of blocks that an autopilot may write, and that speak. */
const writable = ['NPC', 'Postać'] as const
