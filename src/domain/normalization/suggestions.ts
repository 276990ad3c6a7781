import type { EntityType } from '#protocol/atoms.js'
import { applyWindow, type Window } from '#protocol/list.js'
import type { NameSuggestions } from '#protocol/names.js'
import { perValueInSlices } from '#src/domain/caching/per-value-in-slices.js'
import type { View } from '#src/domain/callers/caller.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { namesTopics } from '#src/domain/lore/withheld-tags.js'
import type { NameWorld } from '#src/domain/names/asking/name-wish.js'
import { locationExclusions } from '#src/domain/places/location-exclusions.js'
import { placesOf } from '#src/domain/sessions/naming/places.js'
import type { Session, Sessions } from '#src/domain/sessions/session.js'
import { sessionFor } from '#src/domain/sessions/shown-session.js'
import { forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import { type GatheredLocations, gatherLocations } from './gather-locations.js'
import { locationTexts } from './location-text.js'
import { type LocationReport, namedLocationsInSlices } from './named-locations.js'
import { type FoundSuggestions, suggestNamesInSlices } from './suggest-names.js'
import { type Surface, surfacesOfEntity, surfacesOfSession } from './surfaces.js'

/** What suggestions are made from. */
export interface NormalizedLore extends NameWorld {
  readonly sessions: Sessions
  readonly files: ReadonlyMap<string, SourceFile>
}

/** The view of which every reader of sessions may see all. */
const openView: View = { mayReadRestricted: false, sessions: true, logs: false, external: false }

const locationsIn = (session: Session, { names }: NameWorld): ReadonlyArray<string> =>
  placesOf(session, names).filter(text => !namesTopics(text))

/** The surfaces of the lore; null after each block and session, so that the reader can pause. */
const surfacesIn = function* (lore: NormalizedLore, withSessions: boolean): Generator<Surface | null, void> {
  for (const entity of lore.entities.all) {
    yield* surfacesOfEntity(entity)
    yield null
  }
  if (!withSessions) return
  for (const one of lore.sessions.all) {
    const session = sessionFor(openView, one)
    yield* surfacesOfSession(session, locationsIn(session, lore), lore.entities)
    yield null
  }
}

const reportLocations = function* (lore: NormalizedLore): Sliced<LocationReport> {
  const gathered: GatheredLocations = new Map()
  yield* forEachInSlices(lore.sessions.all, one => {
    const session = sessionFor(openView, one)
    const witness = {
      kind: 'block',
      file: session.path,
      line: session.copies[0]?.line ?? 1,
      session: session.header,
      entity: null,
    } as const
    for (const line of locationsIn(session, lore))
      gatherLocations(gathered, locationTexts(lore.entities, line), witness)
  })
  return yield* namedLocationsInSlices(lore, gathered, locationExclusions(lore.files))
}

interface Report {
  readonly found: FoundSuggestions
  readonly locations: LocationReport
}

const noLocations: LocationReport = { locations: [], leftOut: 0 }

/** The reports of a snapshot, each made once: for readers of sessions, and for everybody else. */
const reportOfAll = perValueInSlices(function* (lore: NormalizedLore): Sliced<Report> {
  const found = yield* suggestNamesInSlices(lore, surfacesIn(lore, true))
  return { found, locations: yield* reportLocations(lore) }
})
const reportOfRows = perValueInSlices(function* (lore: NormalizedLore): Sliced<Report> {
  return { found: yield* suggestNamesInSlices(lore, surfacesIn(lore, false)), locations: noLocations }
})

/** What of the suggestions is asked for. */
export interface SuggestionFilter {
  readonly type: EntityType | undefined
  readonly minOccurrences: number | undefined
}

/**
 * The suggestions of a snapshot, and its report of named locations. Without the right to read sessions only
 * rows of blocks count. Made once for each snapshot and yields while it is made.
 */
export const suggestionsInSlices = function* (
  lore: NormalizedLore,
  { type, minOccurrences = 1 }: SuggestionFilter,
  window: Window,
  view: Pick<View, 'sessions'>,
): Sliced<NameSuggestions> {
  const { found, locations } = yield* (view.sessions ? reportOfAll : reportOfRows)(lore)
  const suggestions = found.suggestions.filter(
    one => one.occurrences >= minOccurrences && (type === undefined || one.type === type),
  )
  const named = locations.locations.filter(one => one.OccurrenceCount >= minOccurrences)
  const page = applyWindow(named, { ...window, named: true })
  return {
    ...applyWindow(suggestions, window),
    leftOut: found.leftOut,
    locations: {
      count: page.count,
      total: named.length,
      leftOut: locations.leftOut,
      items: page.items,
    },
  }
}
