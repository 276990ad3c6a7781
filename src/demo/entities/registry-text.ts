import { registryMark } from '#src/domain/adoption/registry.js'
import { pathSegment } from '#src/domain/lore/layout.js'
import type { DemoPlace } from '../people/cast.js'

/** A session as the registry lists it. */
export interface Listed {
  readonly header: string
  readonly day: number
  readonly path: string
  readonly places: ReadonlyArray<DemoPlace>
}

const chain = (place: DemoPlace | null): ReadonlyArray<string> =>
  place === null ? [] : [...chain(place.parent), pathSegment(place.name)]

const newestFirst = (left: Listed, right: Listed): number =>
  right.day - left.day || (left.header < right.header ? 1 : left.header > right.header ? -1 : 0)

/** The files `Lokacje/<root>/…/<place>/Sesje.md` for the sessions (D37): what a regeneration would write. */
export const demoRegistryFiles = (
  sessions: ReadonlyArray<Listed>,
): ReadonlyArray<{ readonly path: string; readonly text: string }> => {
  const files = new Map<DemoPlace, Array<Listed>>()
  for (const session of [...sessions].sort(newestFirst))
    for (const place of new Set(session.places)) {
      const listed = files.get(place) ?? []
      listed.push(session)
      files.set(place, listed)
    }
  return [...files].map(([place, listed]) => ({
    path: ['Lokacje', ...chain(place), 'Sesje.md'].join('/'),
    text: [registryMark, ...listed.map(session => `- ${session.header} (${session.path})`), ''].join('\n'),
  }))
}
