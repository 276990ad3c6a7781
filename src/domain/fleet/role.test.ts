import { deepEqual, equal, match } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { ObeyedTopology } from '#protocol/fleet/peers.js'
import { fleetSource, fleetText } from '#test/support/fleet/topologies.js'
import {
  cardRoleOf,
  decideRole,
  type FleetRole,
  isSameFence,
  modeOfRole,
  type TopologySource,
  takeoverBranch,
  whyNoDuty,
} from './role.js'

const absent: TopologySource = { _tag: 'Absent' }
const notFetched: TopologySource = { _tag: 'NotFetched' }
const obeyed: ObeyedTopology = { apex: 'Erathia', term: 3, termBefore: null }
const text = fleetText('Erathia', 3)
const stepping = fleetText('Erathia', 3, undefined, { Erathia: { steppingDown: true } })

describe('the role of a host', () => {
  const rows: ReadonlyArray<
    readonly [
      what: string,
      town: string,
      source: TopologySource,
      obeyed: ObeyedTopology | null,
      role: FleetRole,
      findings: ReadonlyArray<string>,
    ]
  > = [
    ['no file, and none was obeyed', '', absent, null, 'alone', []],
    ['no file, and none was obeyed, with a town', 'Erathia', absent, null, 'alone', []],
    ['the file is gone', 'Erathia', absent, obeyed, 'lost', ['FleetGone']],
    ['nothing is fetched yet', 'Erathia', notFetched, null, 'replica', []],
    ['nothing is fetched yet by a former apex', 'Erathia', notFetched, obeyed, 'replica', []],
    ['nothing is fetched yet, without a town', '', notFetched, null, 'alone', []],
    ['it is the apex', 'Erathia', fleetSource(text), null, 'primary', []],
    ['it steps down', 'Erathia', fleetSource(stepping), obeyed, 'stepping-down', []],
    ['another town steps down', 'Deyja', fleetSource(stepping), obeyed, 'replica', []],
    ['another town is the apex', 'Deyja', fleetSource(text), obeyed, 'replica', []],
    ['the file cannot be read', 'Erathia', fleetSource('{'), obeyed, 'lost', ['FleetUnreadable']],
    [
      'the file cannot be read and none was obeyed',
      'Erathia',
      fleetSource('{'),
      null,
      'lost',
      ['FleetUnreadable'],
    ],
    ['the town is not listed', 'Krewlod', fleetSource(text), obeyed, 'lost', ['TownNotListed']],
    ['the host has no town', '', fleetSource(text), null, 'lost', ['TownNotListed']],
    ['a flip raised the term', 'Deyja', fleetSource(fleetText('Deyja', 4)), obeyed, 'primary', []],
    [
      'a flip left the term',
      'Deyja',
      fleetSource(fleetText('Deyja', 3)),
      obeyed,
      'primary',
      ['TermNotRaised'],
    ],
    [
      'a flip lowered the term',
      'Erathia',
      fleetSource(fleetText('Deyja', 1)),
      obeyed,
      'replica',
      ['TermNotRaised'],
    ],
    ['an edit that is no flip left the term', 'Erathia', fleetSource(stepping), obeyed, 'stepping-down', []],
    [
      'the last flip left the term and no edit raised it since',
      'Erathia',
      fleetSource(text),
      { ...obeyed, termBefore: 3 },
      'primary',
      ['TermNotRaised'],
    ],
    [
      'an edit raised the term after a flip that left it',
      'Erathia',
      fleetSource(fleetText('Erathia', 4)),
      { ...obeyed, termBefore: 3 },
      'primary',
      [],
    ],
  ]
  for (const [what, town, source, before, role, findings] of rows)
    it(`is ${role} where ${what}`, () => {
      const decision = decideRole({ town, source, obeyed: before })
      equal(decision.role, role)
      deepEqual(
        decision.findings.map(({ kind }) => kind),
        findings,
      )
    })

  it('has findings in Polish that say what to do', () => {
    const [finding] = decideRole({
      town: 'Deyja',
      source: fleetSource(fleetText('Deyja', 3)),
      obeyed,
    }).findings
    match(finding?.reason ?? '', /nie podniosła pola „term”: było 3, jest 3/)
    match(finding?.suggestion ?? '', /na 4 albo więcej/)
    equal(finding?.file, '.svc/fleet.json')
  })

  it('gives the mode: an apex writes after its first converge of the boot', () => {
    const modes = (['alone', 'primary', 'stepping-down', 'replica', 'lost'] as const).map(role => [
      modeOfRole(role, false),
      modeOfRole(role, true),
      cardRoleOf(role),
    ])
    deepEqual(modes, [
      ['ReadWrite', 'ReadWrite', ''],
      ['ReadOnly', 'ReadWrite', 'primary'],
      ['ReadOnly', 'ReadWrite', 'stepping-down'],
      ['ReadOnly', 'ReadOnly', 'replica'],
      ['ReadOnly', 'ReadOnly', 'replica'],
    ])
  })
})

describe('the duty of a tick', () => {
  const apex = {
    role: 'primary',
    hasConverged: true,
    syncAgeMs: 1_000,
    syncMaxAgeMs: 1_000,
    owner: 'fleet',
  } as const

  it('is that of an apex whose sync is fresh, or of a host that is alone', () => {
    equal(whyNoDuty(apex), null)
    equal(whyNoDuty({ ...apex, role: 'stepping-down' }), null)
    equal(whyNoDuty({ ...apex, role: 'alone', hasConverged: false, syncAgeMs: null }), null)
  })

  it('belongs to no other role', () => {
    equal(whyNoDuty({ ...apex, role: 'replica' }), 'not_apex')
    equal(whyNoDuty({ ...apex, role: 'lost' }), 'not_apex')
    equal(whyNoDuty({ ...apex, hasConverged: false }), 'not_converged')
    equal(whyNoDuty({ ...apex, syncAgeMs: 1_001 }), 'sync_stale')
    equal(whyNoDuty({ ...apex, syncAgeMs: null }), 'sync_stale')
    for (const owner of ['ci', 'off'] as const)
      equal(whyNoDuty({ ...apex, role: 'alone', owner }), 'not_owner')
  })
})

describe('the fence of a takeover', () => {
  const fence = { commit: 'c1', blob: '0123456789abcdef' }

  it('tells A from A that came back after B, though its blob is the same', () => {
    equal(isSameFence(fence, { ...fence }), true)
    equal(isSameFence(fence, { ...fence, commit: 'c3' }), false)
    equal(isSameFence(fence, { ...fence, blob: 'f' }), false)
  })

  it('names the branch', () => equal(takeoverBranch(7, fence), 'fleet/takeover/7-0123456789ab'))
})
