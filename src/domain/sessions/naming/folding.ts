import type { Day } from '#protocol/atoms/day.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { NameIndex } from '#src/domain/names/resolution.js'
import type { Session, Sessions } from '../session.js'
import { type Folded, foldNarrator } from './narrators.js'

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

interface Gathered {
  readonly sessions: Set<Session>
  readonly forms: Set<string>
}

const buildFolding = (sessions: Sessions, names: NameIndex, day: Day): Folding => {
  const known = new Map<string, Folded>()
  const fold = (text: string): Folded => {
    const folded = known.get(text) ?? foldNarrator(names, text, day)
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
    fold: text => known.get(text) ?? foldNarrator(names, text, day),
    byKey: new Map(
      [...byKey].map(([key, gathered]) => [
        key,
        { sessions: [...gathered.sessions], forms: [...gathered.forms] },
      ]),
    ),
  }
}

const kept = perValue((_sessions: Sessions) => perValue((_names: NameIndex) => new Map<Day, Folding>()))

/** Maps the narrators of sessions to persons on a day; computed on first use. */
export const foldingOf = (sessions: Sessions, names: NameIndex, day: Day): Folding => {
  const days = kept(sessions)(names)
  const made = days.get(day) ?? buildFolding(sessions, names, day)
  days.set(day, made)
  return made
}
