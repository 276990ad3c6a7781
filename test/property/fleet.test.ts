import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import {
  type FleetView,
  ineligibilitiesOf,
  rankCandidates,
  rejectionsOf,
} from '#src/domain/fleet/candidates.js'
import { decideRole, isApexRole, modeOfRole, obeyTopology } from '#src/domain/fleet/role.js'
import { decideTakeover, takeoverRefusals } from '#src/domain/fleet/takeover-refusals.js'
import { flipTopology } from '#src/domain/fleet/topology.js'
import { fleetFile, fleetSource, fleetText, topologyOf, townNames } from '#test/support/fleet/topologies.js'
import { runsOf } from '#test/support/runs.js'

const runs = { numRuns: runsOf(300) }
const town = fc.constantFrom(...townNames)
const text = fc
  .record({
    towns: fc.uniqueArray(town, { minLength: 1 }),
    apex: fc.nat(4),
    term: fc.option(fc.nat(9), { nil: undefined }),
    stepping: fc.uniqueArray(town),
  })
  .map(({ towns, apex, term, stepping }) =>
    fleetText(
      towns[apex % towns.length] ?? '',
      term,
      towns,
      Object.fromEntries(stepping.map(name => [name, { steppingDown: true }])),
    ),
  )
const hostile = fc.oneof(
  text,
  fc.json(),
  fc.string(),
  fc
    .record({
      apex: fc.oneof(town, fc.jsonValue()),
      term: fc.jsonValue(),
      towns: fc.dictionary(town, fc.jsonValue()),
    })
    .map(value => JSON.stringify(value)),
)
const obeyed = fc.option(fc.record({ apex: town, term: fc.nat(9), termBefore: fc.option(fc.nat(9)) }))

describe('the role of a host under any file', () => {
  it('S2: is that of the apex for one town at most', () => {
    fc.assert(
      fc.property(hostile, obeyed, (content, before) => {
        const roles = townNames.map(
          name => decideRole({ town: name, source: fleetSource(content), obeyed: before }).role,
        )
        ok(roles.filter(isApexRole).length <= 1)
        ok(roles.every(role => role !== 'alone'))
      }),
      runs,
    )
  })

  it('S1: is the same for the same file, whatever was obeyed before it', () => {
    fc.assert(
      fc.property(hostile, town, obeyed, obeyed, (content, name, one, other) => {
        const roles = [one, other].map(
          before => decideRole({ town: name, source: fleetSource(content), obeyed: before }).role,
        )
        equal(roles[0], roles[1])
      }),
      runs,
    )
  })

  it('lets no host of a fleet write before its first converge of the boot', () => {
    fc.assert(
      fc.property(hostile, town, obeyed, (content, name, before) => {
        const { role } = decideRole({ town: name, source: fleetSource(content), obeyed: before })
        equal(modeOfRole(role, false), 'ReadOnly')
      }),
      runs,
    )
  })

  it('follows a flip: the target is the apex, the term is raised, and no finding says otherwise', () => {
    fc.assert(
      fc.property(text, town, (content, target) => {
        const before = decideRole({ town: target, source: fleetSource(content), obeyed: null })
        const flipped = flipTopology(fleetFile(content), target)
        if (before.role === 'lost' || before.topology === null) {
          equal(flipped, null)
          return
        }
        const { term } = before.topology
        const after = decideRole({
          town: target,
          source: fleetSource(flipped ?? ''),
          obeyed: obeyTopology(before.topology, null),
        })
        deepEqual([isApexRole(after.role), after.topology?.term, after.findings], [true, term + 1, []])
        deepEqual([...(after.topology?.towns ?? [])], [...before.topology.towns])
        equal(flipTopology(fleetFile(content), target), flipped)
      }),
      runs,
    )
  })
})

const view = fc.record({
  isReachable: fc.constantFrom(true, true, true, false, null),
  consecutiveMisses: fc.nat(5),
  syncAgeMinutes: fc.option(fc.nat(90)),
})
const flags = fc.record({ isEligible: fc.boolean(), isSteppingDown: fc.boolean() })
const fleet: fc.Arbitrary<FleetView> = fc
  .record({
    apex: town,
    flags: fc.array(flags, { minLength: 5, maxLength: 5 }),
    views: fc.dictionary(town, view),
  })
  .map(one => ({
    topology: topologyOf(
      one.apex,
      townNames.map((name, at) => ({ name, ...one.flags[at] })),
    ),
    views: new Map(Object.entries(one.views)),
    syncMaxAgeMinutes: 60,
  }))
const facts = fc.record({
  canActuate: fc.boolean(),
  cooldown: fc.option(fc.constant({ mrIid: 1, mrUrl: 'https://forge.example', endsAtMs: 1 })),
  fleet: fc.option(fleet, { freq: 9 }),
  self: town,
  afterSweeps: fc.integer({ min: 1, max: 4 }),
})
const asked = fc.record({
  reason: fc.option(fc.string({ maxLength: 600 }), { freq: 9 }),
  target: fc.option(fc.oneof(town, fc.constant('Krewlod')), { freq: 2 }),
  isForced: fc.boolean(),
})
const order = [
  ...['actuation_unavailable', 'bad_request', 'takeover_cooldown', 'target_ineligible', 'no_candidate'],
  'not_corroborated',
]

describe('S4: a takeover under any facts', () => {
  it('is refused in one order, and force removes the last refusal alone', () => {
    fc.assert(
      fc.property(facts, asked, (given, request) => {
        const codesOf = (isForced: boolean) =>
          takeoverRefusals(given, { ...request, isForced }).map(({ _tag }) => _tag)
        const codes = codesOf(false)
        deepEqual(
          codes,
          [...codes].sort((a, b) => order.indexOf(a) - order.indexOf(b)),
        )
        deepEqual(
          codesOf(true),
          codes.filter(code => code !== 'not_corroborated'),
        )
      }),
      runs,
    )
  })

  it('is accepted for an eligible town alone, and only where nothing refuses it', () => {
    fc.assert(
      fc.property(facts, asked, (given, request) => {
        const decision = decideTakeover(given, request)
        const refusals = takeoverRefusals(given, request)
        equal(decision._tag === 'Accepted', refusals.length === 0)
        if (decision._tag === 'Refused' || given.fleet === null) return
        deepEqual(ineligibilitiesOf(given.fleet, decision.target), [])
        equal(decision.target, request.target ?? rankCandidates(given.fleet)[0])
      }),
      runs,
    )
  })

  it('ranks the same towns in the same order on every host, each town once', () => {
    fc.assert(
      fc.property(fleet, fc.nat(), (one, turn) => {
        const all = [...one.topology.towns]
        const from = turn % all.length
        const towns = new Map([...all.slice(from), ...all.slice(0, from)])
        const other = { ...one, topology: { ...one.topology, towns } }
        deepEqual(rankCandidates(other), rankCandidates(one))
        deepEqual(rejectionsOf(other), rejectionsOf(one))
        equal(rankCandidates(one).length + rejectionsOf(one).length, townNames.length)
        ok(!rankCandidates(one).includes(one.topology.apex))
      }),
      runs,
    )
  })
})
