import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { Day, EntityType } from '#protocol/atoms.js'
import type { entitiesRoutes } from '#protocol/lore/entities.js'
import { type DayOrInstant, windowOf } from '#protocol/query.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { canonicalPath } from '#src/domain/entities/canonical-path.js'
import { entityNamed, linksOn, type NamedEntity } from '#src/domain/entities/entities.js'
import {
  documentOf,
  type Entities,
  type Entity,
  locationOn,
  typeOn,
  withoutSessions,
} from '#src/domain/entities/entity.js'
import { filterEntities, ownerChain } from '#src/domain/entities/listing.js'
import { entityNameOf, relationsOn, visibleEntityInSlices } from '#src/domain/entities/projection.js'
import { corpusInSlices, entityListInSlices, fetchInSlices } from '#src/domain/entities/references.js'
import { rowOn, scalarOn } from '#src/domain/lore/rows/deciding-order.js'
import { pathOfSource } from '#src/domain/lore/rows/row-change.js'
import { nearestBlocks } from '#src/domain/names/nearest.js'
import { resolveName } from '#src/domain/names/resolve.js'
import { ownerNameOn } from '#src/domain/people/roster.js'
import { visibleDocument } from '#src/domain/people/visible-document.js'
import { historyInSlices, sessionsOfInSlices, timelineInSlices } from '#src/domain/sessions/entity-history.js'
import { mapInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import { type Handlers, type InSlices, inSlices, jsonInSlices } from '#src/http/routing/handler.js'
import { findingsPageInSlices } from '#src/snapshot/all-findings.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { resolveDay } from './admin.js'

export const entitiesHandlers: Handlers<typeof entitiesRoutes> = {
  'entities.list': ({ query, snapshot }) => {
    const { activeOn: asked, limit, offset, ...filter } = query
    const day = resolveDay(snapshot, asked)
    const window = windowOf({ limit, offset })
    const all = filterEntities(snapshot.entities, filter, day)
    const whole = all === snapshot.entities.all && !window.named
    const ownerOf = ownerNameOn(snapshot)
    const work = whole
      ? corpusInSlices(snapshot.entities, day, snapshot.day, ownerOf)
      : entityListInSlices(all, window, day, snapshot.day, ownerOf)
    return right({ body: jsonInSlices(work) })
  },
  'entities.integrity.list': ({ snapshot, query, caller }) =>
    right({ body: inSlices(findingsPageInSlices('entities', snapshot, caller.view, windowOf(query))) }),
  'entities.links.list': ({ query, snapshot }) => {
    const items = linksOn(snapshot.entities, resolveDay(snapshot, query.activeOn), query.withFile === true)
    return right({ body: { count: items.length, items } })
  },
  'entities.get': input =>
    ofBlock(input, (entity, day, named) => {
      const ownerOf = ownerNameOn(input.snapshot)
      return jsonInSlices(fetchInSlices(entity, named.alsoTypes, day, input.snapshot.day, ownerOf))
    }),
  'entities.player.get': input =>
    ofBlock(input, (entity, day) => {
      const { player, through } = ownerChain(input.snapshot.entities, entity, day)
      return {
        ...subject(entity, day),
        player:
          player === null
            ? null
            : { Name: player.name, Type: 'Gracz' as const, GameId: scalarOn(player.rows, 'gameid', day) },
        through: through.map(one => entityNameOf(one, day)),
      }
    }),
  'entities.sessions.list': input => ofLongBlock(input, sessionsAnswer, blockInAnyForm),
  'entities.path.get': input =>
    ofBlock(input, (entity, day) => {
      const { path, ancestors, cycle } = canonicalPath(input.snapshot.entities, entity, day)
      return {
        ...subject(entity, day),
        path,
        ancestors: ancestors.map(one => ({
          name: one.name,
          type: one.entity === null ? null : typeOn(one.entity, day),
        })),
        cycle,
      }
    }),
  'entities.file.get': input => {
    const found = findBlock(input)
    if (found._tag === 'Left') return found
    const { entity } = found.right
    const day = dayOf(input)
    const file = documentOf(entity, input.snapshot.files, day)
    if (file === null)
      return left(
        refuse('FileNotFound', `${entity.name} has no @plik row that names a committed Markdown document.`),
      )
    const { mayReadRestricted, sessions } = input.caller.view
    const open = visibleDocument(file.text, mayReadRestricted)
    const { content, cut } = sessions ? { ...open, cut: false } : withoutSessions(open.content)
    return right({ body: { ...subject(entity, day), file: file.path, content, cut: cut || open.cut } })
  },
  'entities.locations.list': input => ofLongBlock(input, locationsAnswer),
  'entities.relations.get': input =>
    ofBlock(input, (entity, day) => ({
      ...subject(entity, day),
      ...relationsOn(input.snapshot.entities, entity, day),
    })),
  'entities.history.list': input => ofLongBlock(input, historyAnswer),
  'entities.timeline.list': input => ofLongBlock(input, timelineAnswer),
}

/** The request for one block: the part that every row below `/entities/{name}` has. */
interface OneBlock {
  readonly path: { readonly name: string }
  readonly query: { readonly type: EntityType | undefined; readonly activeOn?: DayOrInstant | undefined }
  readonly snapshot: Snapshot
}

type FoundBlock = Either<RefusalOf<'EntityNotFound'>, NamedEntity>

/** The 404 for a name that no entity has, with headings like it. */
export const refuseMissing = (
  entities: Entities,
  name: string,
  type: EntityType | null,
): RefusalOf<'EntityNotFound'> =>
  refuse(
    'EntityNotFound',
    `No entity has the heading or alias "${name}". Find names in any form with POST /resolve.`,
    {
      nearest: nearestBlocks(entities, name, type),
    },
  )

const dayOf = ({ query, snapshot }: OneBlock): Day => resolveDay(snapshot, query.activeOn)

/** The block that a path and its query name, or the 404. */
export const findBlock = ({ path, query, snapshot }: OneBlock): FoundBlock => {
  const named = entityNamed(snapshot.entities, path.name, dayOf({ path, query, snapshot }), query.type)
  return named === null ? left(refuseMissing(snapshot.entities, path.name, query.type ?? null)) : right(named)
}

/**
 * The block that a path names, else the one that its name means in any form but a misspelling (D50). A form of
 * several headings means none.
 */
const blockInAnyForm = (input: OneBlock): FoundBlock => {
  const written = findBlock(input)
  const { path, query, snapshot } = input
  if (written._tag === 'Right') return written
  const types = query.type === undefined ? {} : { types: [query.type] }
  const [first, ...others] = resolveName(snapshot.names, path.name, { upTo: 'lemma', ...types }).candidates
  if (first === undefined || others.some(one => one.key !== first.key)) return written
  const named = entityNamed(snapshot.entities, first.name, dayOf(input), query.type)
  return named === null ? written : right(named)
}

/** Answers from the block that a path names, as of the requested day. */
const ofBlock = <A>(
  input: OneBlock,
  answer: (entity: Entity, day: Day, named: NamedEntity) => A,
  find: (input: OneBlock) => FoundBlock = findBlock,
): Either<RefusalOf<'EntityNotFound'>, { readonly body: A }> => {
  const found = find(input)
  return found._tag === 'Left'
    ? found
    : right({ body: answer(found.right.entity, dayOf(input), found.right) })
}

const subject = (entity: Entity, day: Day) => ({ entity: entity.name, type: typeOn(entity, day) })

/**
 * Like `ofBlock`, for an answer whose length depends on the rows of the block. `answer` is one function for all
 * requests: V8 keeps what belongs to a generator function of its own until a full collection.
 */
const ofLongBlock = <I extends OneBlock, A>(
  input: I,
  answer: (entity: Entity, day: Day, input: I) => Sliced<A>,
  find: (input: OneBlock) => FoundBlock = findBlock,
): Either<RefusalOf<'EntityNotFound'>, { readonly body: InSlices<A> }> =>
  ofBlock(input, (entity, day) => inSlices(answer(entity, day, input)), find)

const sessionsAnswer = function* (entity: Entity, _day: Day, { snapshot }: OneBlock) {
  const sessions = (yield* sessionsOfInSlices(snapshot, entity)).map(({ header, date, logs }) => ({
    header,
    date,
    logCount: logs.length,
  }))
  return { entity: entity.name, count: sessions.length, sessions }
}

const locationsAnswer = function* (entity: Entity, day: Day) {
  const shown = yield* visibleEntityInSlices(entity)
  const rows = shown.rows.filter(row => row.tag === 'lokacja' && row.value !== '')
  const decides = rowOn(shown.rows, 'lokacja', day)
  const items = yield* mapInSlices(rows, row => ({
    location: row.value,
    from: row.range.from,
    to: row.range.to,
    active: row === decides,
    file: pathOfSource(row.source),
    session: row.source._tag === 'Session' ? row.source.header : null,
  }))
  return { ...subject(entity, day), current: locationOn(shown, day), count: items.length, items }
}

const historyAnswer = function* (
  entity: Entity,
  day: Day,
  { query }: { readonly query: Parameters<typeof historyInSlices>[1] & Parameters<typeof windowOf>[0] },
) {
  const page = yield* historyInSlices(entity, query, windowOf(query))
  return { ...subject(entity, day), ...page }
}

const timelineAnswer = function* (entity: Entity, day: Day, { snapshot }: OneBlock) {
  const items = yield* timelineInSlices(entity, yield* sessionsOfInSlices(snapshot, entity))
  return { ...subject(entity, day), count: items.length, items }
}
