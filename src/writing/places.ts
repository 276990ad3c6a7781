import { type Either, isLeft, left, mapLeft, right } from 'fp-ts/lib/Either.js'
import type { TagValues } from '#protocol/lore/entity-writes.js'
import {
  type Linked,
  type MapCreate,
  mapMetadata,
  type placesWriteRoutes,
  type reindexRoutes,
  type TraversalLink,
} from '#protocol/lore/places.js'
import { type Refusal, type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Table } from '#protocol/route.js'
import type { routes } from '#protocol/routes.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { locationMeant, placesMeant } from '#src/domain/entities/places.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import { andMore, firstNames } from '#src/domain/names/name-index.js'
import { nearestBlocks } from '#src/domain/names/nearest.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { hidePlanNames } from './answers/hide-names.js'
import { hideQuotes, showReferences } from './answers/quoted-lore.js'
import type { Admit, AnyPlanners, PlanCommand, Planners } from './command.js'
import { targetNamed } from './entities/entity-change.js'
import {
  createEntityOfType,
  entityPlanners,
  namePlanners,
  patchEntityOfType,
} from './entities/entity-writes.js'
import { tagName } from './entities/tags.js'
import { governancePlanners } from './governance.js'
import { identityPlanners } from './identity/links.js'
import { characterPlanners } from './people/characters.js'
import { ownLoreAt, seesNames, withinOwnBounds } from './people/own-lore.js'
import { sessionPlanners } from './sessions/patch.js'

/**
 * Plans commands by the table of planners. Checks the right of the asker first, each time, because it may
 * have ended while the command waited (S30, ADR 1018). Applies the limits on what one player may have (D64),
 * removes from a refusal lore that the caller may not read, and suggested names for a caller who may read no
 * block. Throws for a row that has no planner.
 */
export const planCommandBy =
  ({ table, planners, admit }: PlanParts): PlanCommand =>
  (command, snapshot, nowMs) => {
    const { row: id, path, query, body, prepared, actor } = command
    const [row, plan] = [table[id], planners[id]]
    if (row === undefined || plan === undefined) throw new Error(`the row ${id} plans no write`)
    const caller = admit(command, snapshot, nowMs)
    if (isLeft(caller)) return caller
    const asked = { path, query, body, prepared, actor, caller: caller.right, nowMs }
    const planned = mapLeft((refusal: Refusal) => hideQuotes(refusal, snapshot, caller.right))(
      plan(snapshot, asked),
    )
    const named = seesNames(caller.right) ? planned : hidePlanNames(planned)
    const set = showReferences(named, snapshot, caller.right)
    const own = isLeft(set) ? null : ownLoreAt(snapshot, row, caller.right)
    return isLeft(set) || own === null ? set : withinOwnBounds(snapshot, own, set.right)
  }

const mapTarget = ({ entities }: Snapshot, name: string) => {
  const named = targetNamed(entities, name, 'Mapa')
  if (!isLeft(named)) return named
  return left(
    named.left._tag === 'AmbiguousName'
      ? named.left
      : refuse('MapNotFound', `No Mapa has the name "${name}". GET /entities?type=Mapa lists them.`, {
          nearest: named.left.nearest,
        }),
  )
}

/** Planners of the writes of places and maps (A 4.8). */
const placePlanners: Planners<typeof placesWriteRoutes & typeof reindexRoutes> = {
  'maps.traversal.link': (snapshot, { body }) => linkPlaces(snapshot, body),
  'locations.create': (snapshot, { body: { name, tags = {} } }) =>
    createEntityOfType(snapshot, { name, type: 'Lokacja', tags }),
  'locations.update': (snapshot, { path, body }) => {
    const place = locationTarget(snapshot, path.name)
    return isLeft(place) ? place : patchEntityOfType(snapshot, place.right, body)
  },
  'maps.create': (snapshot, { body }) =>
    createEntityOfType(snapshot, { name: body.name, type: 'Mapa', tags: mapTags(body) }),
  'maps.update': (snapshot, { path, body }) => {
    const map = mapTarget(snapshot, path.name)
    return isLeft(map) ? map : patchEntityOfType(snapshot, map.right, body)
  },
}

/**
 * Adds or ends a way from one place to another: a `@drzwi` row of the first, from today on (A 4.8,
 * docs/spec/places.md#ways).
 */
const linkPlaces = (
  snapshot: Snapshot,
  { source, target, remove = false }: TraversalLink,
): Either<LinkRefusal, ChangeSet<Linked>> => {
  const [from, to] = [locationTarget(snapshot, source), locationTarget(snapshot, target)]
  if (isLeft(from)) return from
  // The target is a value, so a leaf of several places is refused as in any row (A 2.5).
  if (isLeft(to))
    return to.left._tag === 'AmbiguousName'
      ? left(refuse('ValueRefused', to.left.detail, { field: 'target', candidates: to.left.candidates }))
      : to
  if (from.right === to.right)
    return left(
      refuse('ValueRefused', 'A place cannot lead to itself. Name another place.', {
        field: 'target',
        candidates: [],
      }),
    )
  const { name } = to.right
  const patched = patchEntityOfType(snapshot, from.right, { tag: '@drzwi', value: name, remove })
  if (isLeft(patched)) {
    const refusal = patched.left
    return left(
      refusal._tag === 'ValueRefused'
        ? refusal
        : refuse('ValueRefused', refusal.detail, { field: 'target', candidates: [] }),
    )
  }
  const said = { to: name, changed: patched.right.answer.changed }
  return right({
    ...patched.right,
    subject: `places: way from ${from.right.name} to ${name}`,
    answer: { linked: from.right.name, ...said },
    preview: { wouldLink: from.right.name, ...said },
  })
}

/**
 * The Lokacja that a write means: by heading, alias or slash path. Refuses a leaf that several places share
 * (A 2.5).
 */
const locationTarget = (
  { entities, day }: Snapshot,
  name: string,
): Either<RefusalOf<'LocationNotFound' | 'AmbiguousName'>, Entity> => {
  const named = targetNamed(entities, name, 'Lokacja')
  if (!isLeft(named)) return named
  if (named.left._tag === 'AmbiguousName') return left(named.left)
  const place = locationMeant(entities, name, day)
  if (place !== null) return right(place)
  const meant = firstNames([...new Set(placesMeant(entities, name).map(one => one.name))], one => one)
  return meant.names.length === 0
    ? left(
        refuse('LocationNotFound', `No Lokacja has the name "${name}". GET /locations lists them.`, {
          nearest: nearestBlocks(entities, name, 'Lokacja'),
        }),
      )
    : left(
        refuse(
          'AmbiguousName',
          `Several places end in "${name}". Send one of \`candidates\`.${andMore(meant)}`,
          { types: ['Lokacja'], candidates: meant.names },
        ),
      )
}

/**
 * The tags of a new Mapa: its metadata, the `tags` of the body, and a default status (A 4.8). A tag given in
 * both becomes a list, so that the rule for its values refuses it and no value is lost.
 */
const mapTags = (body: MapCreate): TagValues => {
  const said = new Map<string, ReadonlyArray<string>>()
  const say = (name: string, value: TagValues[string]): void => {
    const tag = tagName(name)
    said.set(tag, [...(said.get(tag) ?? []), ...(typeof value === 'string' ? [value] : value)])
  }
  for (const key of mapMetadata) if (body[key] !== undefined) say(key, String(body[key]))
  for (const [name, value] of Object.entries(body.tags ?? {})) say(name, value)
  if (!said.has('status')) say('status', 'Aktywny')
  return Object.fromEntries(said)
}

/** One planner for every planned row; a missing or an extra one does not compile. */
export const planners: Planners<typeof routes> = {
  ...identityPlanners,
  ...governancePlanners,
  ...characterPlanners,
  ...placePlanners,
  ...entityPlanners,
  ...namePlanners,
  ...sessionPlanners,
}

type LinkRefusal = RefusalOf<'LocationNotFound' | 'AmbiguousName' | 'ValueRefused'>

interface PlanParts {
  readonly table: Table
  readonly planners: AnyPlanners
  readonly admit: Admit
}
