import { deepEqual, equal, match } from 'node:assert/strict'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { instantOf } from '#protocol/atoms.js'
import { exitCodes } from '#protocol/exit-code.js'
import type { FleetPeers, PeerReport } from '#protocol/fleet/peers.js'
import type { SyncEnded } from '#protocol/host/sync.js'
import { commitId } from '#test/support/commit-id.js'
import type { Output } from '../output.js'
import type { CommandRefusal } from '../print-answer.js'
import { describeFleet } from './describe-fleet.js'
import { type FindFleetDaemon, type FleetDaemon, type FleetScreen, fleetCommands } from './fleet.js'

const nowMs = Date.UTC(2026, 5, 15, 12)
const card = {
  town: 'Deyja',
  role: 'replica',
  nowUtc: instantOf(nowMs),
  bootUtc: instantOf(nowMs - 60_000),
  bootId: 'b',
  uptimeSeconds: 60,
  imageDigest: '',
  schemaVersion: 2,
  syncAgeMinutes: 0.4,
  version: '0.5.0',
} as const

const report = (town: string, change: Partial<PeerReport> = {}): PeerReport => ({
  ...card,
  town,
  observedUtc: instantOf(nowMs - 12_000),
  elapsedMs: 8,
  reachable: true,
  skewMs: 0,
  probeKind: 'fleet-status',
  consecutiveMisses: 0,
  failure: null,
  late: false,
  settling: false,
  flapping: false,
  ...change,
})

const peers: FleetPeers = {
  count: 2,
  items: [
    report('Avlee', { late: true, settling: true, syncAgeMinutes: 3 }),
    report('Erathia', {
      role: 'primary',
      reachable: false,
      failure: 'timeout',
      consecutiveMisses: 2,
      observedUtc: instantOf(nowMs - 180_000),
    }),
  ],
  self: card,
  watchIntervalMin: 5,
  staleAfterMinutes: 10,
  isolated: false,
  takeover: {
    apex: 'Erathia',
    towns: [
      { town: 'Deyja', reasons: [] },
      { town: 'Avlee', reasons: [] },
      { town: 'Bracada', reasons: ['not_eligible', 'not_observed'] },
      { town: 'Erathia', reasons: ['is_apex', 'unreachable'] },
    ],
    job: {
      target: 'Deyja',
      reason: 'the apex is dark',
      status: 'failed',
      requestedUtc: instantOf(nowMs - 3_600_000),
      failure: 'apex_answers',
      detail: 'Erathia answered',
      mrUrl: 'https://forge.example/7',
      lastError: null,
    },
    refusals: [
      { error: 'not_corroborated', detail: '2 probes of Erathia failed; 3 must. Wait, or send `force`.' },
    ],
  },
}

const rig = (daemon: Partial<FleetDaemon> = {}, screen: Partial<FleetScreen> = {}) => {
  const [out, err]: [Array<string>, Array<string>] = [[], []]
  const unasked = () => Promise.reject(new Error('not asked for'))
  const output: Output = {
    out: text => void out.push(text),
    err: text => void err.push(text),
    isTerminal: false,
  }
  const whole: FleetDaemon = {
    peers: () => Promise.resolve(right(peers)),
    takeover: unasked,
    announce: unasked,
    acceptRewrite: unasked,
    ...daemon,
  }
  const never = new AbortController().signal
  const open: FindFleetDaemon = () => right(whole)
  const commands = fleetCommands(
    open,
    output,
    () => ({
      isTerminal: false,
      ended: never,
      pause: unasked,
      ...screen,
    }),
    () => Promise.resolve(),
  )
  return { out, err, output, commands }
}

const here = { repo: '.', json: false }

/** A screen that ends its watch in the pause after so many looks. */
const endAfter = (looks: number): Pick<FleetScreen, 'ended' | 'pause'> => {
  const end = new AbortController()
  let left = looks
  return {
    ended: end.signal,
    pause: () => {
      left -= 1
      if (left === 0) end.abort()
      return Promise.resolve()
    },
  }
}

describe('kronika fleet status', () => {
  it('shows the apex, a row for each town, the refusals and the last takeover', () => {
    deepEqual(describeFleet(peers).split('\n'), [
      'apex: Erathia; this host is Deyja',
      '',
      'TOWN     ROLE     ANSWERS              MISSES  SYNC AGE  OBSERVED   TAKEOVER',
      'Avlee    replica  yes, late, settling  0       3 min     12 s ago   candidate',
      'Bracada  -        not observed         -       -         -          no: not_eligible, not_observed',
      'Deyja    replica  this host            0       0.4 min   now        candidate',
      'Erathia  primary  no: timeout          2       0.4 min   3 min ago  no: is_apex, unreachable',
      '',
      'A takeover now would be refused:',
      '  not_corroborated: 2 probes of Erathia failed; 3 must. Wait, or use --force.',
      'Last takeover: Deyja, requested 2026-06-15T11:00:00.000Z: the apex is dark – failed, apex_answers: Erathia answered (https://forge.example/7)',
    ])
  })

  it('shows the last error of a takeover that runs', () => {
    const { takeover } = peers
    if (takeover.job === null) throw new Error('the fleet of this test has no job')
    const lastError = { atUtc: instantOf(nowMs - 12_000), detail: 'the forge answered 500' }
    const job = { ...takeover.job, status: 'running', failure: null, lastError } as const
    match(
      describeFleet({ ...peers, takeover: { ...takeover, job } }),
      / – running, last error 12 s ago: the forge answered 500 \(https:\/\/forge\.example\/7\)$/,
    )
  })

  it('names the first candidate where nothing refuses a takeover', () => {
    const text = describeFleet({ ...peers, takeover: { ...peers.takeover, refusals: [], job: null } })
    match(text, /^A takeover now would be accepted; Deyja would become the apex\.$/m)
    match(text, /^No takeover was asked for on this host\.$/m)
  })

  it('says that a host obeys no topology', () => {
    const self = { ...card, town: '', role: '' } as const
    const takeover = { apex: null, towns: [], job: null, refusals: [] }
    const text = describeFleet({ ...peers, count: 0, items: [], self, takeover })
    match(text, /^no apex: this host obeys no topology \(\.svc\/fleet\.json\); this host has no town$/m)
  })

  it('tells a host that the topology does not list which towns it lists', () => {
    const wrong = describeFleet({ ...peers, self: { ...card, town: 'Deja' } })
    match(
      wrong,
      /^This host is ReadOnly: .* does not list Deja\. .* one of Avlee, Bracada, Deyja, Erathia, or add/m,
    )
    const none = describeFleet({ ...peers, self: { ...card, town: '' } })
    match(none, /does not list a host without a town\. Start it with --town/)
  })

  it('says where to look when a host of the fleet has no topology', () => {
    const takeover = { apex: null, towns: [], job: null, refusals: [] }
    match(describeFleet({ ...peers, takeover }), /^This host is ReadOnly until .* fleet_finding in its log/m)
  })

  it('shows control characters of a card as text', () => {
    const items = [report('A\u001b[2J')]
    match(describeFleet({ ...peers, items }), /^A\\u001b\[2J/m)
  })

  it('prints the answer of the route as JSON, and a refusal with 65', async () => {
    const json = rig()
    equal(await json.commands.status({ ...here, json: true, watch: false }), exitCodes.ok)
    deepEqual(JSON.parse(json.out.join()), peers)
    const refused = rig({ peers: () => Promise.resolve(left({ error: 'Unreachable', detail: 'Gone.' })) })
    equal(await refused.commands.status({ ...here, watch: false }), exitCodes.findings)
    deepEqual([refused.out, refused.err], [[], ['Unreachable: Gone.']])
  })
})

describe('kronika fleet status --watch', () => {
  it('repaints a terminal from its first line, and clears it once', async () => {
    const { out, commands } = rig({}, { isTerminal: true, ...endAfter(2) })
    equal(await commands.status({ ...here, watch: true }), exitCodes.ok)
    deepEqual(
      out.map(text => [
        text.startsWith('\u001b[2J\u001b[H'),
        text.includes('\u001b[Hapex'),
        text.endsWith('\u001b[J'),
      ]),
      [
        [true, true, true],
        [false, true, true],
      ],
    )
  })

  it('prints looks below each other into a pipe, without control characters, and JSON by lines', async () => {
    const text = rig({}, endAfter(2))
    await text.commands.status({ ...here, watch: true })
    deepEqual(text.out, [`${describeFleet(peers)}\n`, `${describeFleet(peers)}\n`])
    const json = rig({}, { isTerminal: true, ...endAfter(2) })
    await json.commands.status({ ...here, json: true, watch: true })
    deepEqual(json.out, [JSON.stringify(peers), JSON.stringify(peers)])
  })

  it('goes on after a look without an answer, unless it is the first', async () => {
    const gone = left({ error: 'Unreachable', detail: 'Gone.' })
    const answers = [right(peers), gone, right(peers)]
    const later = rig({ peers: () => Promise.resolve(answers.shift() ?? gone) }, endAfter(3))
    equal(await later.commands.status({ ...here, watch: true }), exitCodes.ok)
    deepEqual([later.out.length, later.err], [2, ['Unreachable: Gone.']])
    const first = rig({ peers: () => Promise.resolve(gone) }, endAfter(3))
    equal(await first.commands.status({ ...here, watch: true }), exitCodes.findings)
    deepEqual(first.err, ['Unreachable: Gone.'])
  })

  it('reports no call that the end of the watch cut off', async () => {
    const end = new AbortController()
    const cut = () => {
      end.abort()
      return Promise.resolve(left({ error: 'Unreachable', detail: 'aborted' }))
    }
    const { out, err, commands } = rig({ peers: cut }, { ended: end.signal })
    equal(await commands.status({ ...here, watch: true }), exitCodes.ok)
    deepEqual([out, err], [[], []])
  })
})

describe('kronika fleet takeover and announce', () => {
  const asked = { ...here, reason: 'dark', force: false, dryRun: false, wait: false }

  it('say what was queued, what was there already, and what a dry run decides', async () => {
    const said = async (answer: object, dryRun = false): Promise<string> => {
      const accepted = { accepted: true, target: 'Deyja', queued: true, ...answer } as const
      const { out, commands } = rig({ takeover: () => Promise.resolve(right(accepted)) })
      equal(await commands.takeover({ ...asked, dryRun }), exitCodes.ok)
      return out.join()
    }
    match(
      await said({}),
      /^The takeover by Deyja is queued\. kronika fleet status --watch shows how it ends\.$/,
    )
    match(await said({}, true), /^Deyja would become the apex\. Nothing was queued\.$/)
    const vetoed = await said({ earlierFailure: 'vetoed' })
    match(vetoed, /is queued\. .* failed as vetoed: a person closed its request\. Reopen the request, or /)
    match(await said({ earlierFailure: 'vetoed' }, true), /Nothing was queued\. .* failed as vetoed: /)
    const job = { queued: false, status: 'running', requestedUtc: instantOf(0) }
    match(await said(job), /^Deyja has a takeover already: running, requested 1970-01-01T00:00:00\.000Z\./)
  })

  it('print a refusal with what to do next, and as JSON with all its fields', async () => {
    const refusal = { error: 'not_corroborated', detail: '2 failed. Wait, or send `force`.', misses: 2 }
    const { err, commands } = rig({ takeover: () => Promise.resolve(left(refusal)) })
    equal(await commands.takeover(asked), exitCodes.findings)
    equal(await commands.takeover({ ...asked, json: true }), exitCodes.findings)
    deepEqual(err, ['not_corroborated: 2 failed. Wait, or use --force.', JSON.stringify(refusal)])
  })

  it('say whether a converge follows an announcement', async () => {
    const said = async (recorded: boolean, syncScheduled: boolean): Promise<string> => {
      const announce = () => Promise.resolve(right({ recorded, syncScheduled }))
      const { out, commands } = rig({ announce })
      equal(await commands.announce({ ...here, apex: 'Deyja', dryRun: !recorded }), exitCodes.ok)
      return out.join()
    }
    equal(await said(true, true), 'Recorded. A converge begins soon.')
    equal(await said(true, false), 'Recorded. Sync is disabled, so no converge follows.')
    equal(await said(false, true), 'Nothing was recorded.')
  })

  it('end with the code of a checkout that no daemon serves', async () => {
    const { err, output } = rig()
    const refusal = { error: 'NoDaemon', detail: 'Start one.' }
    const open: FindFleetDaemon = () => left({ code: exitCodes.usage, refusal })
    const watch = () => Object.assign(endAfter(1), { isTerminal: false })
    const commands = fleetCommands(open, output, watch, () => Promise.resolve())
    equal(await commands.takeover(asked), exitCodes.usage)
    equal(await commands.status({ ...here, watch: false }), exitCodes.usage)
    equal(await commands.status({ ...here, watch: true }), exitCodes.usage)
    const line = 'NoDaemon: Start one.'
    deepEqual(err, [line, line, line])
  })
})

describe('kronika accept-rewrite', () => {
  const tip = commitId('b'.repeat(40))
  const rewrite = { seen: commitId('a'.repeat(40)), tip, commits: [], removed: ['tajne.md'], related: true }
  const ended: SyncEnded = {
    ...{ enabled: true, git: true, stale: false, remote: 'origin', publishMode: 'push', intervalMinutes: 15 },
    ...{ staleAfterMinutes: 60, lastConvergeOkUtc: null, lastAction: 'history_rewritten', lastDetail: null },
    ...{ unpublished: 0, request: null, mode: 'ReadWrite', modeReason: null, blocked: [], parked: [] },
    ...{ accepted: false, rewrite },
  }

  /** Runs the command with `--yes`; returns its code, and whether each call was a dry run. */
  const accept = async (...answers: ReadonlyArray<Either<CommandRefusal, SyncEnded>>) => {
    const dry: Array<boolean> = []
    const { out, err, commands } = rig({
      acceptRewrite: dryRun => {
        dry.push(dryRun)
        return Promise.resolve(answers[dry.length - 1] ?? left({ error: 'TooMany', detail: 'calls' }))
      },
    })
    const code = await commands.acceptRewrite({ ...here, yes: true })
    return { code, dry, out, err }
  }

  it('looks first, then accepts what it saw', async () => {
    const { code, dry, out } = await accept(right(ended), right({ ...ended, accepted: true }))
    deepEqual([code, dry], [exitCodes.ok, [true, false]])
    match(out.join(), /^The remote had a{40} and has b{40} [\s\S]*Done\. /)
  })

  it('changes nothing where there is nothing to accept, or no branch to take', async () => {
    const none = await accept(right({ ...ended, rewrite: null }))
    deepEqual([none.code, none.dry], [exitCodes.ok, [true]])
    match(none.out.join(), /^Nothing to accept/)
    const gone = await accept(right({ ...ended, rewrite: { ...rewrite, tip: null } }))
    deepEqual([gone.code, gone.dry], [exitCodes.findings, [true]])
  })

  it('ends as a failure where the converge failed', async () => {
    const refused = left({ error: 'ConvergeFailed', detail: 'The converge ended with work_tree_dirty.' })
    for (const answers of [[refused], [right(ended), refused]]) {
      const { code, err } = await accept(...answers)
      deepEqual(
        [code, err],
        [exitCodes.findings, ['ConvergeFailed: The converge ended with work_tree_dirty.']],
      )
    }
  })
})
