import * as t from 'io-ts'
import type { Descriptions } from '../description.js'
import { refusalRow as row } from '../refusal-row.js'

const text = t.string
const texts = t.readonlyArray(t.string)

/** The reasons for which a promotion is refused with 422, in their order (B 4.8). */
export const promotionReasons = [
  'ModelArtifactUnusable',
  'ModelStampIncomplete',
  'ModelGradeRefused',
  'ModelStampSelfContradictory',
  'ModelSurfaceMismatch',
  'ModelWouldRegress',
] as const
export type PromotionReason = (typeof promotionReasons)[number]

export const PromotionReason = t.keyof(
  {
    ModelArtifactUnusable: null,
    ModelStampIncomplete: null,
    ModelGradeRefused: null,
    ModelStampSelfContradictory: null,
    ModelSurfaceMismatch: null,
    ModelWouldRegress: null,
  },
  'PromotionReason',
)

/** One reason why an artifact cannot be promoted; `missing` names the fields of its stamp that are missing. */
export const PromotionRefusal = t.type(
  { code: PromotionReason, detail: text, missing: texts },
  'PromotionRefusal',
)
export type PromotionRefusal = t.TypeOf<typeof PromotionRefusal>

/** Every reason at once; the `error` of the body is the first of them. */
const listed = { refusals: t.readonlyArray(PromotionRefusal) } as const

const held = 'and every other reason is in `refusals`. Nothing was written.'

/** The refusals of the rows of models (B 4.8, B 7). */
export const modelRefusalRows = {
  UnknownSurface: row(400, 'No model is trained for the surface; `surfaces` lists those that there are.', {
    surfaces: texts,
  }),
  ModelArtifactNotFound: row(
    404,
    'This host holds no artifact of that id. `GET /model/state` lists them.',
    {},
  ),
  ModelAlreadyLive: row(409, 'The artifact is the live one of the surface. There is nothing to promote.', {}),
  ModelArtifactUnusable: row(
    422,
    `The folder, the stamp or the model of the artifact is missing or cannot be read, ${held}`,
    listed,
  ),
  ModelStampIncomplete: row(422, `The stamp lacks required fields; \`missing\` names each, ${held}`, listed),
  ModelGradeRefused: row(422, `The grade of the artifact is not \`confirmed\`, ${held}`, listed),
  ModelStampSelfContradictory: row(422, `The stamp has two grades that differ, ${held}`, listed),
  ModelSurfaceMismatch: row(422, `The artifact was trained for another surface, ${held}`, listed),
  ModelWouldRegress: row(
    422,
    'The held-out F1 is below that of the live artifact. `acceptRegression: true` promotes it nevertheless, ' +
      held,
    listed,
  ),
  NoRetainedArtifact: row(409, 'The surface has no earlier artifact that could become live again.', {}),
  RetainedArtifactMissing: row(
    409,
    'The earlier artifact is gone from the disk, or is no longer what was promoted. Bring it in again.',
    { artifact: text },
  ),
} as const

const each = {
  refusals: 'Every reason why the artifact cannot be promoted, in the order of the checks.',
} as const
const one = {
  code: 'Code of the reason.',
  detail: 'What is wrong, and what to do.',
  missing: 'Fields that the stamp lacks, or that are not of their kind; empty for other reasons.',
} as const

export const modelRefusalDescriptions: Descriptions = {
  PromotionRefusal: one,
  'Refusal.UnknownSurface': { surfaces: 'Ids of all surfaces.' },
  'Refusal.RetainedArtifactMissing': { artifact: 'Id of the earlier artifact.' },
  ...Object.fromEntries(promotionReasons.map(code => [`Refusal.${code}`, each])),
}
