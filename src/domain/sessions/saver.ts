import { isLeft, tryCatch } from 'fp-ts/lib/Either.js'
import { type Day, dayOf, dropLongMarks } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { NameIndex } from '#src/domain/names/resolution.js'
import type { Session } from './session.js'

/**
 * A name as in a URL: letters of the base alphabet and digits, with one dash for each run of anything else.
 */
export const slugOf = (text: string): string =>
  dropLongMarks(text)
    .toLowerCase()
    .replaceAll('ł', 'l')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .split(/[^a-z0-9]+/)
    .filter(part => part !== '')
    .join('-')

/** The saver and the day in the address of a transcript. */
export interface LogSlug {
  readonly saved: Day | null
  readonly saver: string
}

/**
 * Parses the last segment of an address as `[title-]YYYY-MM-DD[-HH-MM]-saver` or `saver-YYYY-MM-DD`, without
 * its extension (docs/spec/sessions.md#saver). Null when it has no day.
 */
export const logSlug = (address: string): LogSlug | null => {
  const path = address.replace(/[?#].*$/su, '')
  const segment = path.slice(path.lastIndexOf('/') + 1)
  const decoded = tryCatch(
    () => decodeURIComponent(segment),
    () => segment,
  )
  const name = (isLeft(decoded) ? decoded.left : decoded.right).replace(/\.[a-z0-9]{1,5}$/iu, '')
  const found = dated.exec(name)
  const saved = found === null ? null : dayOf(found[1] ?? '')
  if (found === null || saved === null) return null
  const after = slugOf(name.slice(found.index + found[0].length).replace(time, ''))
  return { saved, saver: after === '' ? slugOf(name.slice(0, found.index)) : after }
}

/** The day on which the first dated transcript was saved; null when there is none. */
export const saveDateOf = (session: Session): Day | null => slugs(session)[0]?.saved ?? null

/**
 * The character who saved the first transcript with a known saver; null when there is none. A slug that
 * several characters share names nobody.
 */
export const reporterOf = (session: Session, names: NameIndex): string | null => {
  for (const { saver } of slugs(session)) {
    const character = bySlug(names).get(saver)
    if (character) return character.name
  }
  return null
}

const dated = /(?:^|[-_.])(\d{4}-\d{2}-\d{2})(?=$|[-_.])/
const time = /^[-_.]*(?:\d{2}-\d{2}(?:-\d{2})?|\d{4}|\d{6})(?=$|[-_.])/

const bySlug = perValue((names: NameIndex): ReadonlyMap<string, Entity | null> => {
  const found = new Map<string, Entity | null>()
  for (const index of [names.exact, names.alias])
    for (const [key, owners] of index)
      for (const owner of owners) {
        if (owner.type !== 'Postać') continue
        const slug = slugOf(key)
        const known = found.get(slug)
        found.set(slug, known === undefined || known === owner ? owner : null)
      }
  return found
})

const slugs = perValue(
  (session: Session): ReadonlyArray<LogSlug> => session.logs.flatMap(log => logSlug(log) ?? []),
)
