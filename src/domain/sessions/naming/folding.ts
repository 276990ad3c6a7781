import type { Day } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { NameIndex } from '#src/domain/names/resolution.js'
import type { Session, Sessions } from '../session.js'
import { type Folded, foldNarrator, type NarratorLore } from './narrators.js'

/** The sessions of one narrator under all spellings, and the spellings, in order of appearance. */
export interface Narrated {
  readonly sessions: ReadonlyArray<Session>
  readonly forms: ReadonlyArray<string>
}

/** All narrators of a snapshot, by `Folded.key`. */
export interface Folding {
  readonly fold: (text: string) => Folded
  readonly byKey: ReadonlyMap<string, Narrated>
}

/** The inputs of `foldingOf`. */
export interface FoldingLore extends NarratorLore {
  readonly sessions: Sessions
  readonly day: Day
}

interface Gathered {
  readonly sessions: Set<Session>
  readonly forms: Set<string>
}

const buildFolding = ({ sessions, day, ...lore }: FoldingLore): Folding => {
  const known = new Map<string, Folded>()
  const fold = (text: string): Folded => {
    const folded = known.get(text) ?? foldNarrator(lore, text, day)
    known.set(text, folded)
    return folded
  }
  const byKey = new Map<string, Gathered>()
  for (const session of sessions.all)
    for (const form of session.narrators) {
      const { key } = fold(form)
      const gathered = byKey.get(key) ?? { sessions: new Set(), forms: new Set() }
      gathered.sessions.add(session)
      gathered.forms.add(form)
      byKey.set(key, gathered)
    }
  return {
    fold: text => known.get(text) ?? foldNarrator(lore, text, day),
    byKey: new Map(
      [...byKey].map(([key, gathered]) => [
        key,
        { sessions: [...gathered.sessions], forms: [...gathered.forms] },
      ]),
    ),
  }
}

/** Days with their folding; one entry for each similarity of a host, which is one until it restarts. */
const kept = perValue((_sessions: Sessions) => perValue((_names: NameIndex) => new Map<string, Folding>()))

/** Maps the narrators of sessions to persons on a day; computed on first use. */
export const foldingOf = (lore: FoldingLore): Folding => {
  const { sessions, names, day, config } = lore
  const days = kept(sessions)(names)
  const at = `${day} ${config['normalization.narrator_near_form_score']}`
  const made = days.get(at) ?? buildFolding({ sessions, names, day, config })
  days.set(at, made)
  return made
}

/** Whether a name, and each of the spellings that fold to the same narrator, is a written spelling. */
export const isSureOf = ({ fold }: Folding, spellings: ReadonlyArray<string>): boolean =>
  spellings.every(text => {
    const folded = fold(text)
    return folded._tag !== 'Person' || folded.sure
  })
