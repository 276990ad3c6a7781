import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { ModelSurface } from '#protocol/atoms.js'
import type { PromotionReason, PromotionRefusal } from '#protocol/models/model-refusals.js'
import type { Disclosure, DisclosureCode, Floors } from '#protocol/models/models.js'
import type { Artifact } from './artifact.js'
import { isWithinNoise } from './bootstrap.js'
import { type Held, standing } from './ledger.js'

/** What decides a promotion. */
export interface PromotionFacts {
  readonly surface: ModelSurface
  /** The id that was asked for. */
  readonly id: string
  /** Undefined where this host holds no artifact of the id. */
  readonly candidate: Artifact | undefined
  /** What the ledger says is live, and what this host has under its id. */
  readonly live: { readonly held: Held; readonly artifact: Artifact | undefined } | null
  readonly acceptRegression: boolean
  readonly floors: Floors
  /** The digest of the confirmed rows of the surface now; null where this host has no sample store. */
  readonly harvestDigest: string | null
}

export interface Promotable {
  readonly candidate: Artifact
  readonly acceptedRegression: boolean
  readonly disclosures: ReadonlyArray<Disclosure>
}

/** Decides a promotion by every rule at once. Whether the artifact is live already is for the caller to ask first. */
export const decidePromotion = (
  facts: PromotionFacts,
): Either<ReadonlyArray<PromotionRefusal>, Promotable> => {
  const refusals = promotionRefusals(facts)
  const { candidate } = facts
  if (refusals.length > 0 || candidate === undefined) return left(refusals)
  return right({ candidate, acceptedRegression: regresses(facts), disclosures: disclosuresOf(facts) })
}

/** Every reason why the promotion is refused, in the order of the specification. */
export const promotionRefusals = (facts: PromotionFacts): ReadonlyArray<PromotionRefusal> =>
  refusalRules.flatMap(({ code, check }) => {
    const found = check(facts)
    return found === null ? [] : [{ code, missing: [], ...found }]
  })

/** What the promotion tells beside, in the order of the specification. */
export const disclosuresOf = (facts: PromotionFacts): ReadonlyArray<Disclosure> =>
  disclosureRules.flatMap(({ code, check }) => {
    const detail = check(facts)
    return detail === null ? [] : [{ code, detail }]
  })

/** The live artifact, where it is still what was promoted. */
export const comparableLive = ({ live }: Pick<PromotionFacts, 'live'>): Artifact | null =>
  live === null ? null : standing(live.held, live.artifact)

interface RefusalRule {
  readonly code: PromotionReason
  readonly check: (facts: PromotionFacts) => (Partial<PromotionRefusal> & { readonly detail: string }) | null
}

const refusalRules: ReadonlyArray<RefusalRule> = [
  {
    code: 'ModelArtifactUnusable',
    check: ({ candidate, id }) => {
      if (candidate === undefined)
        return { detail: `This host holds no artifact ${id}. Bring it in with kronika model add.` }
      return candidate.isUsable
        ? null
        : { detail: `${candidate.id} cannot be used: ${candidate.problems.join('; ')}. Bring it in again.` }
    },
  },
  {
    code: 'ModelStampIncomplete',
    check: ({ candidate }) =>
      candidate === undefined || candidate.missing.length === 0
        ? null
        : {
            detail: `The stamp of ${candidate.id} lacks ${candidate.missing.join(', ')}. Train it with a full stamp.`,
            missing: candidate.missing,
          },
  },
  {
    code: 'ModelGradeRefused',
    check: ({ candidate }) => {
      const grade = candidate?.stamp?.grade ?? null
      return grade === null || grade === 'confirmed'
        ? null
        : { detail: `The grade is ${grade}; only a model of confirmed rows can be promoted.` }
    },
  },
  {
    code: 'ModelStampSelfContradictory',
    check: ({ candidate }) => {
      const [grade, harvest] = [candidate?.stamp?.grade ?? null, candidate?.stamp?.harvestGrade ?? null]
      return grade === null || harvest === null || grade === harvest
        ? null
        : { detail: `The stamp has the grade ${grade}, and its harvest has ${harvest}. Train it again.` }
    },
  },
  {
    code: 'ModelSurfaceMismatch',
    check: ({ candidate, surface }) => {
      const trained = candidate?.stamp?.surface ?? null
      return trained === null || trained === surface
        ? null
        : { detail: `The artifact was trained for ${trained}, not for ${surface}.` }
    },
  },
  {
    code: 'ModelWouldRegress',
    check: facts =>
      facts.acceptRegression || !regresses(facts)
        ? null
        : {
            detail:
              `The held-out F1 ${f1Text(facts.candidate)} is below that of the live artifact, ` +
              `${f1Text(comparableLive(facts))}. Send acceptRegression: true to accept that.`,
          },
  },
]

interface DisclosureRule {
  readonly code: DisclosureCode
  /** The remark; null if there is none. */
  readonly check: (facts: PromotionFacts) => string | null
}

const disclosureRules: ReadonlyArray<DisclosureRule> = [
  {
    code: 'HarvestDrift',
    check: ({ candidate, harvestDigest }) => {
      const trained = candidate?.stamp?.harvestDigest ?? null
      return harvestDigest === null || trained === null || trained === harvestDigest
        ? null
        : 'The confirmed rows of the surface are no longer those that the model was trained on.'
    },
  },
  {
    code: 'HarvestUncheckable',
    check: ({ candidate, harvestDigest }) =>
      harvestDigest !== null && (candidate?.stamp?.harvestDigest ?? null) !== null
        ? null
        : 'Whether the confirmed rows are still those of the training cannot be checked on this host.',
  },
  {
    code: 'AcceptedRegression',
    check: facts =>
      facts.acceptRegression && regresses(facts)
        ? `The held-out F1 falls from ${f1Text(comparableLive(facts))} to ${f1Text(facts.candidate)}.`
        : null,
  },
  {
    code: 'RegressionUncheckable',
    check: facts =>
      facts.live === null || scoresOf(facts) !== null
        ? null
        : 'One of both artifacts has no score that can be read, so they cannot be compared.',
  },
  {
    code: 'RegressionIncomparable',
    check: facts => {
      const [mine, theirs] = [
        facts.candidate?.stamp?.seed ?? null,
        comparableLive(facts)?.stamp?.seed ?? null,
      ]
      return scoresOf(facts) === null || (mine !== null && mine === theirs)
        ? null
        : 'Both artifacts were measured with different or unrecorded seeds, so on other documents.'
    },
  },
  {
    code: 'TranscribedConfirmations',
    check: ({ floors: { authentication } }) =>
      authentication.transcribed === 0
        ? null
        : `${authentication.transcribed} confirmed rows of the surface were not confirmed with a token.`,
  },
  {
    code: 'NoConfirmedLabels',
    check: ({ floors }) =>
      floors.available && floors.confirmed === 0
        ? 'The sample store has no confirmed row of the surface.'
        : null,
  },
  {
    code: 'WithinNoise',
    check: facts => {
      const live = comparableLive(facts)
      return facts.candidate !== undefined && live !== null && isWithinNoise(facts.candidate, live) === true
        ? 'The difference in F1 to the live artifact may be chance: 95 % of resampled differences include 0.'
        : null
    },
  },
]

/** The F1 of both; null where there is no live artifact, or one of them has none. */
const scoresOf = (facts: PromotionFacts): { readonly mine: number; readonly theirs: number } | null => {
  const [mine, theirs] = [
    facts.candidate?.stamp?.score.f1 ?? null,
    comparableLive(facts)?.stamp?.score.f1 ?? null,
  ]
  return mine === null || theirs === null ? null : { mine, theirs }
}

const regresses = (facts: PromotionFacts): boolean => {
  const scores = scoresOf(facts)
  return scores !== null && scores.mine < scores.theirs
}

const f1Text = (artifact: Artifact | null | undefined): string => String(artifact?.stamp?.score.f1 ?? null)
