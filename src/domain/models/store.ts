import { isLeft } from 'fp-ts/lib/Either.js'
import { type Instant, type ModelSurface, modelSurfaces } from '#protocol/atoms.js'
import type { PromotionRefusal } from '#protocol/models/model-refusals.js'
import type { Disclosure, EngageGate, Floors, ModelEvaluation, ModelState } from '#protocol/models/models.js'
import { readJson } from '#src/domain/json/json-text.js'
import { type Artifact, absentArtifact, type Score, summaryOf } from './artifact.js'
import { type Held, type Ledger, liveIn, standing } from './ledger.js'
import type { Runs } from './runs.js'

/** The store of models of this host, as it was last read. It is a value: a change makes another one. */
export interface ModelStore {
  /** Whether the host has the folder. */
  readonly exists: boolean
  /** Identifies all that the store says; the same on every start over the same files. */
  readonly version: string
  /** By id. */
  readonly artifacts: ReadonlyMap<string, Artifact>
  readonly ledger: Ledger
  readonly runs: Runs
  /** What is recorded of the frames on each surface; null where the host has no such file, or cannot read it. */
  readonly frames: ReadonlyMap<string, FramesOfSurface> | null
}

/** What `frames.json` records of a surface; a figure is null where it has none. */
export interface FramesOfSurface {
  readonly enabled: boolean | null
  readonly minRecallGain: number | null
  readonly framesOnlyRecall: number | null
  readonly deltaF1: number | null
  readonly source: string | null
  readonly measured: string | null
}

/** The folder of the store in the state area. */
export const storeFolder = 'models'

/** The surface of a text; null where there is no such surface. Without a text the first one. */
export const surfaceOf = (text: string | undefined): ModelSurface | null =>
  text === undefined ? modelSurfaces[0] : (modelSurfaces.find(one => one === text) ?? null)

/** The answer of `GET /model/state`; with `at`, in ms since 1970, what was live then. */
export const stateOf = (store: ModelStore, surface: ModelSurface, at: AskedTime | null): ModelState => ({
  ...sharedState(store, surface, at?.untilMs),
  at: at?.instant ?? null,
})

/** A time that was asked for: everything up to and with `untilMs` counts. */
export interface AskedTime {
  readonly instant: Instant
  readonly untilMs: number
}

/** What is known of a candidate: its measurement, the comparison with others, and what a promotion would meet. */
export const evaluationOf = (
  store: ModelStore,
  surface: ModelSurface,
  { candidate, floors, refusals, disclosures }: Candidacy,
): ModelEvaluation => ({
  ...sharedState(store, surface),
  candidate: summaryOf(candidate),
  delta: deltaOf(store, surface, candidate),
  engageGate: engageGateOf(store.frames?.get(surface) ?? null, candidate),
  floors,
  refusals,
  disclosures,
  promotable: refusals.length === 0,
})

interface Candidacy {
  readonly candidate: Artifact
  readonly floors: Floors
  readonly refusals: ReadonlyArray<PromotionRefusal>
  readonly disclosures: ReadonlyArray<Disclosure>
}

/** Reads `frames.json`; null where it is not JSON with `surfaces`. */
export const readFrames = (text: string): ModelStore['frames'] => {
  const read = readJson(text)
  const surfaces = isLeft(read) ? null : fieldsOf(read.right)?.['surfaces']
  const all = fieldsOf(surfaces)
  if (all === null) return null
  return new Map(
    Object.entries(all).flatMap(([surface, value]) => {
      const fields = fieldsOf(value)
      return fields === null ? [] : [[surface, framesOf(fields)] as const]
    }),
  )
}

const sharedState = (store: ModelStore, surface: ModelSurface, untilMs?: number): Omit<ModelState, 'at'> => {
  const { artifacts, exists, ledger } = store
  const { live, retained } = liveIn(ledger, surface, untilMs)
  const isLive = live !== null && standing(live, artifacts.get(live.id)) !== null
  return {
    surface,
    root: storeFolder,
    available: isLive,
    reason: isLive
      ? null
      : !exists
        ? 'NoModelStore'
        : live === null
          ? 'NoLiveArtifact'
          : 'LiveArtifactUnusable',
    proposer: isLive ? 'model' : 'frames-only',
    live: live === null ? null : summaryOfHeld(store, live),
    previous: retained === null ? null : summaryOfHeld(store, retained),
    candidates: [...artifacts.values()]
      .filter(({ id, stamp }) => id !== live?.id && (stamp?.surface ?? surface) === surface)
      .map(summaryOf),
    surfaces: modelSurfaces,
  }
}

const summaryOfHeld = ({ artifacts }: ModelStore, held: Held): ModelState['live'] => {
  const artifact = artifacts.get(held.id) ?? absentArtifact(held.id)
  const summary = summaryOf(artifact)
  return artifact.digests === null || standing(held, artifact) !== null
    ? summary
    : { ...summary, problems: [...summary.problems, 'its files are not those that were promoted'] }
}

const noScore: Score = { precision: null, recall: null, f1: null }

const engages = 'Promotion names the artifact of the surface. It does not turn the model layer on.'

const deltaOf = (
  { artifacts, ledger, frames }: ModelStore,
  surface: ModelSurface,
  candidate: Artifact,
): ModelEvaluation['delta'] => {
  const { live } = liveIn(ledger, surface)
  const readable = live === null ? null : standing(live, artifacts.get(live.id))
  const [mine, theirs] = [candidate.stamp?.score ?? noScore, readable?.stamp?.score ?? noScore]
  const hasScores = mine.f1 !== null && theirs.f1 !== null
  const figure = frames?.get(surface)?.deltaF1 ?? null
  return {
    againstLive: hasScores
      ? {
          precision: less(mine.precision, theirs.precision),
          recall: less(mine.recall, theirs.recall),
          f1: less(mine.f1, theirs.f1),
        }
      : null,
    againstLiveReason:
      live === null
        ? 'NoLiveArtifact'
        : readable === null
          ? 'LiveArtifactUnusable'
          : hasScores
            ? null
            : 'ScoreMissing',
    againstFrames: figure,
    againstFramesReason: frames === null ? 'NoFramesConfig' : figure === null ? 'NoFramesMeasurement' : null,
    engages,
    engagesReason: 'PromotionNamesOnly',
  }
}

const engageGateOf = (frames: FramesOfSurface | null, candidate: Artifact): EngageGate => {
  const modelRecall = candidate.stamp?.score.recall ?? null
  const gain = less(modelRecall, frames?.framesOnlyRecall ?? null)
  const minRecallGain = frames?.minRecallGain ?? null
  return {
    enabled: frames?.enabled ?? null,
    minRecallGain,
    framesOnlyRecall: frames?.framesOnlyRecall ?? null,
    modelRecall,
    gain,
    clearsTheBar: gain === null || minRecallGain === null ? null : gain >= minRecallGain,
    source: frames?.source ?? null,
    measured: frames?.measured ?? null,
  }
}

/** A difference to six places: a binary float would show digits that nobody measured. */
const less = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : Math.round((one - other) * 1e6) / 1e6

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fieldsOf = (value: unknown): Fields | null => (isFields(value) ? value : null)

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, 200) : null)

const framesOf = (fields: Fields): FramesOfSurface => {
  const enabled = fields['enabled']
  return {
    enabled: typeof enabled === 'boolean' ? enabled : null,
    minRecallGain: numberOf(fields['min_recall_gain']),
    framesOnlyRecall: numberOf(fields['frames_only_recall']),
    deltaF1: numberOf(fields['delta_f1']),
    source: textOf(fields['source']),
    measured: textOf(fields['measured']),
  }
}
