import { type NameKey, nameKey, type Status } from '#protocol/atoms.js'
import type { Figures } from '#src/domain/lore/figures.js'

/** A character for the arithmetic of PU: its spellings, its owner and its figures. */
export interface Candidate {
  readonly name: string
  readonly aliases: ReadonlyArray<string>
  /** The Gracz who owns it; null when nobody does. */
  readonly player: string | null
  readonly status: Status
  readonly figures: Figures
}

/** The result of looking up a name in PU: exactly one character, none, or several. */
export type Placed =
  | { readonly _tag: 'One'; readonly candidate: Candidate }
  | { readonly _tag: 'Nobody' }
  | { readonly _tag: 'Several'; readonly candidates: ReadonlyArray<Candidate> }

export type LocateCandidate = (written: string) => Placed

const nobody: Placed = { _tag: 'Nobody' }

const locateCandidate = (candidates: ReadonlyArray<Candidate> | undefined): Placed => {
  const [first, second] = candidates ?? []
  if (first === undefined) return nobody
  return second === undefined
    ? { _tag: 'One', candidate: first }
    : { _tag: 'Several', candidates: candidates ?? [] }
}

const enter = (index: Map<NameKey, Array<Candidate>>, spelling: string, candidate: Candidate): void => {
  const key = nameKey(spelling)
  const known = index.get(key)
  if (known === undefined) index.set(key, [candidate])
  else if (!known.includes(candidate)) known.push(candidate)
}

/**
 * Returns a function that finds characters by exact heading, then by exact alias. It ignores case and normal
 * form, but not inflection (FORMATS 5.4, 6.2).
 */
export const placeAmong = (candidates: ReadonlyArray<Candidate>): LocateCandidate => {
  const [names, aliases] = [new Map<NameKey, Array<Candidate>>(), new Map<NameKey, Array<Candidate>>()]
  for (const candidate of candidates) {
    enter(names, candidate.name, candidate)
    for (const alias of candidate.aliases) enter(aliases, alias, candidate)
  }
  return written => {
    const key = nameKey(written)
    return locateCandidate(names.get(key) ?? aliases.get(key))
  }
}
