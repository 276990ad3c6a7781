import { deepEqual, equal, match } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { darkFleet, townNames, townViewWith } from '#test/support/fleet/topologies.js'
import { rankCandidates, rejectionsOf } from './candidates.js'
import {
  decideTakeover,
  describeRefusal,
  type TakeoverFacts,
  type TakeoverRefusal,
  type TakeoverRequest,
  takeoverRefusals,
} from './takeover-refusals.js'

const cooldown = { mrIid: 7, mrUrl: 'https://forge.example/lore/-/merge_requests/7', endsAtMs: 1 }
const facts: TakeoverFacts = {
  canActuate: true,
  cooldown: null,
  fleet: darkFleet(),
  self: 'Deyja',
  afterSweeps: 3,
}
const request: TakeoverRequest = { reason: 'Erathia is dark', target: null, isForced: false }

/** The codes of A 4.10 in its order; bit n of a row decides whether the condition of code n holds. */
const codes: ReadonlyArray<TakeoverRefusal['_tag']> = [
  'actuation_unavailable',
  'bad_request',
  'takeover_cooldown',
  'target_ineligible',
  'no_candidate',
  'not_corroborated',
]

const rowOf = (bits: number): { readonly facts: TakeoverFacts; readonly request: TakeoverRequest } => {
  const has = (n: number): boolean => (bits & (1 << n)) !== 0
  const unseen = has(4)
    ? Object.fromEntries(
        townNames.map(name => [name, townViewWith({ isReachable: false, syncAgeMinutes: null })]),
      )
    : {}
  const misses = has(5) ? 2 : 3
  const apex = townViewWith({ isReachable: false, consecutiveMisses: misses, syncAgeMinutes: null })
  return {
    facts: {
      ...facts,
      canActuate: !has(0),
      cooldown: has(2) ? cooldown : null,
      fleet: darkFleet({ ...unseen, Erathia: apex }),
    },
    request: { ...request, reason: has(1) ? null : 'dark', target: has(3) ? 'Krewlod' : null },
  }
}

describe('S4: the refusals of a takeover', () => {
  for (let bits = 0; bits < 64; bits += 1) {
    const wanted = codes.filter((_, n) => (bits & (1 << n)) !== 0)
    it(`row ${bits}: ${wanted.join(', ') || 'none'} | ${wanted[0] ?? 'accepted'} is answered`, () => {
      const row = rowOf(bits)
      deepEqual(
        takeoverRefusals(row.facts, row.request).map(({ _tag }) => _tag),
        wanted,
      )
      const decision = decideTakeover(row.facts, row.request)
      equal(decision._tag === 'Refused' ? decision.refusal._tag : 'accepted', wanted[0] ?? 'accepted')
      const forced = takeoverRefusals(row.facts, { ...row.request, isForced: true })
      deepEqual(
        forced.map(({ _tag }) => _tag),
        wanted.filter(code => code !== 'not_corroborated'),
      )
    })
  }
})

describe('a takeover', () => {
  const first = (change: Partial<TakeoverFacts>, asked: Partial<TakeoverRequest> = {}): unknown => {
    const decision = decideTakeover({ ...facts, ...change }, { ...request, ...asked })
    return decision._tag === 'Refused' ? decision.refusal : decision.target
  }

  it('goes to the town with the freshest sync, then by name, or to the one that was named', () => {
    equal(first({}), 'Avlee')
    equal(first({ fleet: darkFleet({ Nighon: townViewWith({ syncAgeMinutes: 1 }) }) }), 'Nighon')
    equal(first({}, { target: 'Bracada' }), 'Bracada')
  })

  it('is refused for a target with every reason, forced or not', () => {
    for (const isForced of [false, true]) {
      const fleet = darkFleet({
        Bracada: townViewWith({ isReachable: false }),
        Nighon: townViewWith({ syncAgeMinutes: 61 }),
      })
      const refused = (target: string) => first({ fleet }, { target, isForced })
      const refusal = (target: string, ...reasons: ReadonlyArray<string>) => ({
        _tag: 'target_ineligible',
        target,
        reasons,
      })
      deepEqual(refused('Krewlod'), refusal('Krewlod', 'unknown_town'))
      deepEqual(refused('Erathia'), refusal('Erathia', 'is_apex', 'unreachable'))
      deepEqual(refused('Bracada'), refusal('Bracada', 'unreachable'))
      deepEqual(refused('Nighon'), refusal('Nighon', 'sync_stale'))
    }
  })

  it('without a candidate lists every town with its reasons', () => {
    const fleet = {
      ...darkFleet({
        Avlee: townViewWith({ syncAgeMinutes: null }),
        Bracada: townViewWith({ isReachable: null }),
      }),
    }
    const towns = new Map(
      [...fleet.topology.towns].map(([name, town]) => [
        name,
        { ...town, isEligible: name !== 'Deyja', isSteppingDown: name === 'Nighon' },
      ]),
    )
    deepEqual(first({ fleet: { ...fleet, topology: { ...fleet.topology, towns } } }), {
      _tag: 'no_candidate',
      rejections: [
        { town: 'Avlee', reasons: ['sync_unknown'] },
        { town: 'Bracada', reasons: ['not_observed'] },
        { town: 'Deyja', reasons: ['not_eligible'] },
        { town: 'Erathia', reasons: ['is_apex', 'unreachable'] },
        { town: 'Nighon', reasons: ['stepping_down'] },
      ],
    })
    deepEqual(first({ fleet: null }), { _tag: 'no_candidate', rejections: [] })
  })

  it('needs no misses where this host is the apex that steps down, and cannot be corroborated by a live apex', () => {
    const { topology, ...rest } = darkFleet({ Erathia: townViewWith() })
    const stepping = new Map(
      [...topology.towns].map(([name, town]) => [name, { ...town, isSteppingDown: name === 'Erathia' }]),
    )
    const fleet = { ...rest, topology: { ...topology, towns: stepping } }
    equal(first({ fleet, self: 'Erathia' }), 'Avlee')
    const refusal = { _tag: 'not_corroborated', apex: 'Erathia', misses: 0, needed: 3 }
    deepEqual(first({ fleet }), refusal)
    deepEqual(first({ fleet: darkFleet(), self: 'Erathia' }), refusal)
    equal(first({ fleet }, { isForced: true }), 'Avlee')
  })

  it('needs a reason of at most 500 characters without controls', () => {
    const fault = (reason: string | null) => first({}, { reason })
    for (const reason of [null, '', '  \u00a0'])
      deepEqual(fault(reason), { _tag: 'bad_request', fault: 'missing' })
    deepEqual(fault('a'.repeat(501)), { _tag: 'bad_request', fault: 'too_long' })
    equal(fault('🐉'.repeat(500)), 'Avlee')
    for (const control of ['\n', '\u0000', '\u0085', '\u2028'])
      deepEqual(fault(`a${control}b`), { _tag: 'bad_request', fault: 'control' })
  })

  it('names the setting of the forge as the operator writes it', () => {
    const describe = (setting: string): string => describeRefusal({ _tag: 'actuation_unavailable' }, setting)
    match(describe('token'), /SVC_FORGE_TOKEN, or the file that SVC_FORGE_TOKEN_FILE names/)
    match(describe('api_url'), /integrations\.forge\.api_url .* \/api\/v4/)
    match(describe('project'), /integrations\.forge\.project .* lore\/kronika/)
  })

  it('says that a cooldown without a request is an assumption', () => {
    const describe = (mrIid: number | null): string =>
      describeRefusal({ _tag: 'takeover_cooldown', cooldown: { ...cooldown, mrIid } }, 'token')
    match(describe(7), /^A takeover was merged shortly before\./)
    match(describe(null), /does not know yet whether a takeover was merged/)
  })

  it('lists no candidate among the rejections', () => {
    const fleet = darkFleet()
    const rejected = rejectionsOf(fleet).map(({ town }) => town)
    deepEqual([...rejected, ...rankCandidates(fleet)].sort(), [...townNames])
  })
})
