import { deepEqual, equal, ok } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { promotionReasons } from '#protocol/models/model-refusals.js'
import { disclosureCodes } from '#protocol/models/models.js'
import { readSamples } from '#src/domain/samples/samples.js'
import { artifactIn, evaluationWith, putArtifact, type StoreText, stampWith } from '#test/support/models.js'
import { sourceFile as sourceOf } from '#test/support/world.js'
import { samplesOfSurface } from './floors.js'
import { decidePromotion, disclosuresOf, type PromotionFacts, promotionRefusals } from './promotion.js'

const digest = 'd'.repeat(64)

/** A store with confirmed rows whose digest is that of the stamps, all confirmed with a token. */
const floors: PromotionFacts['floors'] = {
  available: true,
  labels: 10,
  confirmed: 10,
  proposed: 0,
  confirmedBy: [{ by: 'Solmyr', rows: 10 }],
  authentication: { transcribed: 0, tokenAuthenticated: 10 },
  unconfirmedShare: 0,
}

interface Case {
  /** The stamp of the candidate; absent: a good one with a higher score. */
  readonly stamp?: object
  readonly evaluation?: object
  readonly liveStamp?: object
  readonly liveEvaluation?: object
  /** Files of the candidate that are removed. */
  readonly without?: ReadonlyArray<string>
  readonly facts?: Partial<PromotionFacts>
}

const factsOf = (given: Case): PromotionFacts => {
  const files: StoreText = new Map()
  putArtifact(files, 'new', given.stamp ?? stampWith('claims', 0.9), given.evaluation)
  putArtifact(files, 'old', given.liveStamp ?? stampWith('claims', 0.8), given.liveEvaluation)
  for (const file of given.without ?? []) files.delete(`new/${file}`)
  const old = artifactIn(files, 'old')
  if (old.digests === null) throw new Error('the live artifact of the test cannot be used')
  return {
    surface: 'claims',
    id: 'new',
    candidate: artifactIn(files, 'new'),
    live: { held: { id: 'old', digests: old.digests }, artifact: old },
    acceptRegression: false,
    floors,
    harvestDigest: digest,
    ...given.facts,
  }
}

const codesOf = (list: ReadonlyArray<{ readonly code: string }>): ReadonlyArray<string> =>
  list.map(({ code }) => code)

describe('a promotion', () => {
  it('of a good artifact is neither refused nor tells anything', () => {
    const facts = factsOf({})
    deepEqual([promotionRefusals(facts), disclosuresOf(facts)], [[], []])
    equal(decidePromotion(facts)._tag, 'Right')
  })

  const refused: ReadonlyArray<readonly [string, Case, string]> = [
    ['is not on the host', { facts: { candidate: undefined } }, 'ModelArtifactUnusable'],
    ['has no model', { without: ['model.json'] }, 'ModelArtifactUnusable'],
    ['has no stamp', { without: ['stamp.json'] }, 'ModelArtifactUnusable'],
    [
      'lacks a field',
      { stamp: stampWith('claims', 0.9, { harvest: { grade: 'confirmed' } }) },
      'ModelStampIncomplete',
    ],
    ['has an F1 above 1', { stamp: stampWith('claims', 1.5) }, 'ModelStampIncomplete'],
    [
      'is of measured rows',
      { stamp: stampWith('claims', 0.9, { grade: 'measured', harvest: { grade: 'measured', digest } }) },
      'ModelGradeRefused',
    ],
    [
      'has two grades',
      { stamp: stampWith('claims', 0.9, { harvest: { grade: 'proposed', digest } }) },
      'ModelStampSelfContradictory',
    ],
    ['is of another surface', { stamp: stampWith('speaker-vs-narration', 0.9) }, 'ModelSurfaceMismatch'],
    ['is worse than the live one', { stamp: stampWith('claims', 0.79) }, 'ModelWouldRegress'],
  ]
  for (const [what, given, code] of refused)
    it(`of an artifact that ${what} is refused for ${code} alone`, () => {
      deepEqual(codesOf(promotionRefusals(factsOf(given))), [code])
    })

  it('is refused for all six reasons at once, and each missing field is named', () => {
    const stamp = {
      surface: 'speaker-vs-narration',
      grade: 'measured',
      harvest: { grade: 'proposed' },
      held_out_score: { f1: 0.1 },
    }
    const decided = decidePromotion(factsOf({ stamp, without: ['model.json'] }))
    ok(isLeft(decided))
    deepEqual(codesOf(decided.left), promotionReasons)
    deepEqual(decided.left[1]?.missing, ['harvest.digest'])
  })

  it('names every missing field of an empty stamp', () => {
    const [first] = promotionRefusals(factsOf({ stamp: {} }))
    deepEqual(first?.missing, ['surface', 'grade', 'harvest.grade', 'harvest.digest', 'held_out_score.f1'])
  })

  it('proceeds with a lower score that is accepted, and records that', () => {
    const decided = decidePromotion(
      factsOf({ stamp: stampWith('claims', 0.7), facts: { acceptRegression: true } }),
    )
    ok(decided._tag === 'Right')
    deepEqual(
      [decided.right.acceptedRegression, codesOf(decided.right.disclosures)],
      [true, ['AcceptedRegression']],
    )
  })

  it('records no accepted regression where there was none', () => {
    const decided = decidePromotion(factsOf({ facts: { acceptRegression: true } }))
    ok(decided._tag === 'Right' && !decided.right.acceptedRegression)
  })

  const even = evaluationWith(Array.from({ length: 20 }, (_, at) => [`doc-${at}`, 5, 1, 1] as const))
  const told: ReadonlyArray<readonly [string, Case, string]> = [
    ['the rows have changed since', { facts: { harvestDigest: 'e'.repeat(64) } }, 'HarvestDrift'],
    ['the host has no sample store', { facts: { harvestDigest: null } }, 'HarvestUncheckable'],
    [
      'a regression was accepted',
      { stamp: stampWith('claims', 0.7), facts: { acceptRegression: true } },
      'AcceptedRegression',
    ],
    [
      'the live one has no score',
      { liveStamp: stampWith('claims', 0.8, { held_out_score: {} }) },
      'RegressionUncheckable',
    ],
    [
      'the files of the live one have changed',
      {
        facts: {
          live: {
            held: { id: 'old', digests: { model: digest, stamp: digest, evaluation: null } },
            artifact: undefined,
          },
        },
      },
      'RegressionUncheckable',
    ],
    ['the seeds differ', { liveStamp: stampWith('claims', 0.8, { seed: 8 }) }, 'RegressionIncomparable'],
    [
      'no seed is recorded',
      {
        stamp: stampWith('claims', 0.9, { seed: null }),
        liveStamp: stampWith('claims', 0.8, { seed: null }),
      },
      'RegressionIncomparable',
    ],
    [
      'rows were confirmed in the file',
      { facts: { floors: { ...floors, authentication: { transcribed: 1, tokenAuthenticated: 9 } } } },
      'TranscribedConfirmations',
    ],
    [
      'no row is confirmed',
      {
        facts: {
          floors: { ...floors, confirmed: 0, authentication: { transcribed: 0, tokenAuthenticated: 0 } },
        },
      },
      'NoConfirmedLabels',
    ],
    ['the difference may be chance', { evaluation: even, liveEvaluation: even }, 'WithinNoise'],
  ]
  for (const [what, given, code] of told)
    it(`tells ${code} alone where ${what}`, () => {
      deepEqual(codesOf(disclosuresOf(factsOf(given))), [code])
    })

  it('has a test of every disclosure', () => {
    deepEqual(new Set(told.map(([, , code]) => code)), new Set(disclosureCodes))
  })

  it('tells nothing of a comparison where nothing is live', () => {
    deepEqual(disclosuresOf(factsOf({ facts: { live: null } })), [])
  })

  it('tells nothing of chance where every document got better, or where the documents differ', () => {
    const counts = (tp: number, name = 'doc') =>
      evaluationWith(Array.from({ length: 20 }, (_, at) => [`${name}-${at}`, tp, 1, 6 - tp] as const))
    deepEqual(disclosuresOf(factsOf({ evaluation: counts(6), liveEvaluation: counts(2) })), [])
    deepEqual(disclosuresOf(factsOf({ evaluation: counts(4), liveEvaluation: counts(4, 'other') })), [])
  })
})

describe('the rows of a surface', () => {
  const row = (id: string, grade: string, accepted?: object): string =>
    JSON.stringify({
      id,
      class: 'claims',
      grade,
      label: 'yes',
      fields: {},
      provenance: { project: 'p' },
      ...(accepted === undefined ? {} : { accepted_by: accepted }),
    })
  const samples = (...rows: ReadonlyArray<string>) =>
    readSamples([sourceOf('samples/p/claims.jsonl', `${rows.join('\n')}\n`)])

  it('are counted by grade, by who confirmed them and how', () => {
    const { floors: counted } = samplesOfSurface(
      samples(
        row('p/claims/1', 'confirmed', { by: 'Solmyr', authentication: 'token' }),
        row('p/claims/2', 'confirmed', { by: 'Solmyr' }),
        row('p/claims/3', 'confirmed', { by: 'Xeron', authentication: 'TOKEN' }),
        row('p/claims/4', 'proposed'),
      ),
      'claims',
    )
    deepEqual(counted, {
      available: true,
      labels: 4,
      confirmed: 3,
      proposed: 1,
      confirmedBy: [
        { by: 'Solmyr', rows: 2 },
        { by: 'Xeron', rows: 1 },
      ],
      authentication: { transcribed: 2, tokenAuthenticated: 1 },
      unconfirmedShare: 0.25,
    })
  })

  it('have a digest of their confirmed part, in any order of the lines', () => {
    const [one, two, other] = [
      row('p/claims/1', 'confirmed'),
      row('p/claims/2', 'confirmed'),
      row('p/claims/3', 'proposed'),
    ]
    const digestOf = (...rows: ReadonlyArray<string>) =>
      samplesOfSurface(samples(...rows), 'claims').harvestDigest
    equal(digestOf(one, two), digestOf(two, other, one))
    ok(digestOf(one, two) !== digestOf(one))
    equal(samplesOfSurface(null, 'claims').harvestDigest, null)
  })
})
