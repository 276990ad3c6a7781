import type { PromotionReason } from '#protocol/models/model-refusals.js'
import { contractStore, putArtifact, type StoreText, stampWith, unkeptModels } from '#test/support/models.js'
import type { Provocation } from './provocation.js'

/** A promotion of `claims-3` on a host that has it as `put` makes it. */
const provokePromotion = (put: (files: StoreText) => void): Provocation => ({
  row: 'model.promote',
  body: { artifact: 'claims-3', surface: 'claims' },
  front: () => {
    const files = contractStore()
    put(files)
    return { node: { models: unkeptModels(files) } }
  },
})

const provokeByStamp = (stamp: object): Provocation =>
  provokePromotion(files => putArtifact(files, 'claims-3', stamp))

const byReason: Readonly<Record<PromotionReason, Provocation>> = {
  ModelArtifactUnusable: provokePromotion(() => undefined),
  ModelStampIncomplete: provokeByStamp(stampWith('claims', 0.9, { harvest: { grade: 'confirmed' } })),
  ModelGradeRefused: provokeByStamp(
    stampWith('claims', 0.9, { grade: 'measured', harvest: { grade: 'measured', digest: 'd' } }),
  ),
  ModelStampSelfContradictory: provokeByStamp(
    stampWith('claims', 0.9, { harvest: { grade: 'proposed', digest: 'd' } }),
  ),
  ModelSurfaceMismatch: provokeByStamp(stampWith('governance-transitions', 0.9)),
  ModelWouldRegress: provokeByStamp(stampWith('claims', 0.5)),
}

/** The refusals of the rows of models. */
export const modelProvocations = {
  ...byReason,
  UnknownSurface: { row: 'model.state.get', query: [['surface', 'weather']] },
  ModelArtifactNotFound: { row: 'model.evaluation.get', query: [['artifact', '../claims-1']] },
  ModelAlreadyLive: { row: 'model.promote', body: { artifact: 'claims-1', surface: 'claims' } },
  NoRetainedArtifact: { row: 'model.rollback', body: { surface: 'claims' } },
  RetainedArtifactMissing: {
    row: 'model.rollback',
    body: { surface: 'governance-transitions' },
    front: () => {
      const files = contractStore()
      for (const path of [...files.keys()]) if (path.startsWith('gov-1/')) files.delete(path)
      return { node: { models: unkeptModels(files) } }
    },
  },
} as const satisfies Readonly<Record<string, Provocation>>
