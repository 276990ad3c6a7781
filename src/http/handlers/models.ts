import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type Day, instantOf, type ModelSurface, modelSurfaces } from '#protocol/atoms.js'
import { applyWindow } from '#protocol/list.js'
import type { ModelChange, modelRoutes } from '#protocol/models/models.js'
import { type DayOrInstant, windowOf } from '#protocol/query.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { civilDay, untilNextDayMs } from '#src/domain/lore/rows/days.js'
import { type SurfaceSamples, samplesOfSurface } from '#src/domain/models/floors.js'
import { type LedgerRow, liveIn } from '#src/domain/models/ledger.js'
import { disclosuresOf, promotionRefusals } from '#src/domain/models/promotion.js'
import { type AskedTime, evaluationOf, stateOf, surfaceOf } from '#src/domain/models/store.js'
import { actorOf } from '#src/http/checks/arrival.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { Host } from '#src/ports/host.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/** The models of this host (B 4.8). Reads are from memory; a write ends on disk before it is answered. */
export const modelHandlers: Handlers<typeof modelRoutes, Pick<Host, 'models'>> = {
  'model.state.get': ({ node, query, snapshot }) => {
    const surface = surfaceOf(query.surface)
    if (surface === null) return left(unknownSurface(query.surface))
    return right({ body: stateOf(node.models.store(), surface, timeOf(snapshot, query.at)) })
  },
  'model.evaluation.get': ({ node, query, snapshot }) => {
    const { artifact: id } = query
    if (id === undefined) return left(artifactMissing)
    const surface = surfaceOf(query.surface)
    if (surface === null) return left(unknownSurface(query.surface))
    const store = node.models.store()
    const candidate = store.artifacts.get(id)
    if (candidate === undefined) return left(artifactNotFound)
    const { floors, harvestDigest } = samplesAt(snapshot, surface)
    const { live: held } = liveIn(store.ledger, surface)
    const live = held === null ? null : { held, artifact: store.artifacts.get(held.id) }
    const facts = { surface, id, candidate, live, acceptRegression: false, floors, harvestDigest }
    return right({
      body: evaluationOf(store, surface, {
        candidate,
        floors,
        refusals: promotionRefusals(facts),
        disclosures: disclosuresOf(facts),
      }),
    })
  },
  'model.ledger.list': ({ node, query }) => {
    const surface = query.surface === undefined ? undefined : surfaceOf(query.surface)
    if (surface === null) return left(unknownSurface(query.surface))
    const { rows, unreadable } = node.models.store().ledger
    const wanted = rows.filter(row => surface === undefined || row.surface === surface).toReversed()
    const page = applyWindow(wanted, windowOf(query))
    return right({ body: { ...page, items: page.items.map(changeOf), unreadable } })
  },
  'model.runs.list': ({ node, query }) => {
    const surface = query.surface === undefined ? undefined : surfaceOf(query.surface)
    if (surface === null) return left(unknownSurface(query.surface))
    const { all, unreadable } = node.models.store().runs
    const wanted = all.filter(run => surface === undefined || run.surface === surface).toReversed()
    return right({ body: { ...applyWindow(wanted, windowOf(query)), unreadable } })
  },
  'model.runs.start': async ({ node: { models }, body, caller, dryRun, nowMs }) => {
    const surface = surfaceOf(body.surface)
    if (surface === null) return left(unknownSurface(body.surface))
    const setting = models.missingSetting()
    if (setting !== null)
      return left(
        refuse(
          'actuation_unavailable',
          `This host cannot call the forge: ${setting} is missing. Nothing was started.`,
          { setting },
        ),
      )
    if (dryRun) return right({ body: { wouldRun: surface, ref: models.runRef }, status: 200 })
    const started = await models.startRun(surface, actorOf(caller), nowMs)
    return isLeft(started) ? started : right({ body: started.right, status: 202 })
  },
  'model.promote': async ({ node: { models }, snapshot, body, caller, dryRun, nowMs }) => {
    const surface = surfaceOf(body.surface)
    if (surface === null) return left(unknownSurface(body.surface))
    const { artifact, acceptRegression = false } = body
    const asked = { artifact, acceptRegression, surface, ...samplesAt(snapshot, surface) }
    const changed = await models.promote(asked, { by: actorOf(caller), dryRun, nowMs })
    return isLeft(changed) ? changed : right({ body: changed.right })
  },
  'model.rollback': async ({ node: { models }, body, caller, dryRun, nowMs }) => {
    const surface = surfaceOf(body.surface)
    if (surface === null) return left(unknownSurface(body.surface))
    const changed = await models.rollback(surface, { by: actorOf(caller), dryRun, nowMs })
    return isLeft(changed) ? changed : right({ body: changed.right })
  },
}

const unknownSurface = (asked: string | undefined): RefusalOf<'UnknownSurface'> =>
  refuse(
    'UnknownSurface',
    `No model is trained for the surface ${JSON.stringify((asked ?? '').slice(0, 100))}. ` +
      `Send one of ${modelSurfaces.join(', ')}.`,
    { surfaces: modelSurfaces },
  )

const artifactMissing = refuse('ParameterInvalid', '`artifact` is missing. Send the id of an artifact.', {
  parameter: 'artifact',
})

const artifactNotFound = refuse(
  'ModelArtifactNotFound',
  'This host holds no artifact of that id. GET /model/state lists those that it holds.',
)

/** What the sample store of the snapshot has for a surface. */
const samplesAt = (
  { samples, treeHeads }: Pick<Snapshot, 'samples' | 'treeHeads'>,
  surface: ModelSurface,
): SurfaceSamples => samplesOfSurface(treeHeads.has('adnotacje') ? samples : null, surface)

/** A day counts to its end in the zone of the host. */
const timeOf = ({ config }: Pick<Snapshot, 'config'>, at: DayOrInstant | undefined): AskedTime | null => {
  if (at === undefined) return null
  if (typeof at !== 'string') return { instant: instantOf(at.epochMs), untilMs: at.epochMs }
  const untilMs = endOfDay(at, config['server.time_zone'])
  return { instant: instantOf(untilMs), untilMs }
}

/** The last millisecond of a civil day. Noon in UTC lies in that day, but east of UTC+12, where it is the next. */
const endOfDay = (day: Day, zone: string): number => {
  const noonMs = Date.parse(`${day}T12:00:00Z`)
  const withinMs = civilDay(noonMs, zone) === day ? noonMs : noonMs - 12 * 3_600_000
  return withinMs + untilNextDayMs(withinMs, zone) - 1
}

const changeOf = ({ v: _v, live: _live, retained: _retained, ...change }: LedgerRow): ModelChange => change
