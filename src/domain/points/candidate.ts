import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import type { Status } from '#protocol/atoms/vocabulary.js'
import type { Figures } from './figures.js'

/** A character as PU see it: every spelling it answers to, whose it is, what it holds. */
export interface Candidate {
  readonly name: string
  readonly aliases: ReadonlyArray<string>
  /** The Gracz it belongs to, null when nobody. */
  readonly player: string | null
  readonly status: Status
  readonly figures: Figures
}

/** What a PU name stands for: exactly one character, none, or several. */
export type Placed =
  | { readonly _tag: 'One'; readonly candidate: Candidate }
  | { readonly _tag: 'Nobody' }
  | { readonly _tag: 'Several'; readonly candidates: ReadonlyArray<Candidate> }

export type Place = (written: string) => Placed

const nobody: Placed = { _tag: 'Nobody' }

const placed = (candidates: ReadonlyArray<Candidate> | undefined): Placed => {
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
 * Finds characters by exact heading, then exact alias; case and NFC do not matter, inflection does (FORMATS
 * 5.4, 6.2).
 */
export const placeAmong = (candidates: ReadonlyArray<Candidate>): Place => {
  const [names, aliases] = [new Map<NameKey, Array<Candidate>>(), new Map<NameKey, Array<Candidate>>()]
  for (const candidate of candidates) {
    enter(names, candidate.name, candidate)
    for (const alias of candidate.aliases) enter(aliases, alias, candidate)
  }
  return written => {
    const key = nameKey(written)
    return placed(names.get(key) ?? aliases.get(key))
  }
}
