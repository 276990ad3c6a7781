import { deepEqual, equal, ok } from 'node:assert/strict'
import {
  awaitSync,
  claimNothingLost,
  claimPublished,
  hostTown,
  type RequestWorld,
  requestCase,
  writeNth,
} from '#test/scenario/merge-request/publish-story.js'
import type { ScenarioCase } from '#test/scenario/world/run-cases.js'
import { eventually } from '#test/support/daemon.js'
import type { ShownRequest } from '#test/support/forge/forge-process.js'
import { portOfDouble } from '#test/support/forge/forge-world.js'
import { type Fields, isFields } from '#test/support/matching.js'
import { gitIn } from '#test/support/repository.js'

const header = '2026-05-10, Most, Solmyr'
const ledger = '.svc/close/ledger.jsonl'
const purse = (owner: string, amount: number): string =>
  `### Korony ${owner}\n- @typ: Przedmiot\n- @generyczne_nazwy: Korony Elanckie\n- @należy_do: ${owner}\n- @ilość: ${amount}\n\n`
const files = {
  'encje/most.md': `### Wit\n- @typ: NPC\n\n### Agar\n- @typ: NPC\n\n${purse('Wit', 20)}${purse('Agar', 1)}`,
  'sesje/maj.md': `### ${header}\n\nOpis.\n\n- @Transfer: 5 koron, Wit -> Agar\n- @Intel:\n    - Agar: Zapłacono.\n`,
}

const fieldsOf = (json: unknown): Fields => {
  ok(isFields(json), JSON.stringify(json))
  return json
}

const post = async ({ host, story }: RequestWorld, path: string, body: object) => {
  const { status, json } = await host.ask(path, { method: 'POST', body: JSON.stringify(body) })
  story.tell(hostTown, `answers ${path} with ${status}`)
  return { status, json: fieldsOf(json) }
}
const close = (world: RequestWorld) => post(world, '/workflows/close-session', { header })
const finalize = (world: RequestWorld, body: object = { header }) =>
  post(world, '/workflows/finalize-close', body)

const opsIn = (repo: string): ReadonlyArray<unknown> =>
  gitIn(repo, 'ls-tree', 'main', '--', ledger) === ''
    ? []
    : gitIn(repo, 'show', `main:${ledger}`)
        .split('\n')
        .filter(Boolean)
        .map(line => fieldsOf(JSON.parse(line))['op'])

/** The requests that close a session, oldest first. */
const closes = async ({ forge }: RequestWorld): Promise<ReadonlyArray<ShownRequest>> =>
  (await forge.requests()).filter(({ source }) => source.startsWith('svc/close/'))

const claimOpen = ({ story, host }: RequestWorld, isOpen: boolean): Promise<void> =>
  story.claim(`the session is ${isOpen ? 'open' : 'closed'} here`, async () => {
    equal(JSON.stringify((await host.ask('/sessions/open')).json).includes(header), isOpen)
    equal(opsIn(host.path).includes('close'), !isOpen)
  })

const claimStates = (world: RequestWorld, states: ReadonlyArray<string>): Promise<void> =>
  world.story.claim(`requests that close the session: ${states.join(', ')}`, async () => {
    deepEqual(
      (await closes(world)).map(({ state }) => state),
      states,
    )
  })

const claimRefused = (
  { story }: RequestWorld,
  { status, json }: Awaited<ReturnType<typeof post>>,
  expected: readonly [status: number, error: string, state?: string],
): Promise<void> =>
  story.claim(`it is refused: ${expected.join(' ')}`, () => {
    deepEqual([status, json['error'], ...(expected.length > 2 ? [json['state']] : [])], expected)
  })

/** Changes the last request that closes the session, as a person does. */
const asPerson = async (world: RequestWorld, verb: 'merge' | 'close'): Promise<void> => {
  const { forge, story, bare } = world
  const last = (await closes(world)).at(-1)
  if (last === undefined) throw new Error('no request closes the session')
  const { iid, description } = last
  const port = portOfDouble(forge)
  const call =
    verb === 'merge'
      ? ({ _tag: 'MergeRequest', iid, sha: gitIn(bare, 'rev-parse', last.source) } as const)
      : ({ _tag: 'CloseRequest', iid, description } as const)
  const done = (): Promise<string> =>
    port(call, 20_000, AbortSignal.timeout(20_000)).then(({ outcome }) => outcome._tag)
  equal(await eventually(done, tag => tag === 'Request'), 'Request')
  story.tell('a person', verb === 'merge' ? 'merges the request' : 'closes the request')
}

const claimFinished = async (world: RequestWorld, body: object, isWithEntry: boolean): Promise<void> => {
  const { story, host, bare } = world
  await story.claim(
    `the close is finished${isWithEntry ? ' with its entry' : ''}, and only once`,
    async () => {
      const done = await finalize(world, body)
      deepEqual([done.status, done.json['Applied'], done.json['Entry']], [200, true, isWithEntry])
      const twice = await finalize(world, body)
      deepEqual([twice.status, twice.json['Applied'], twice.json['At']], [200, false, done.json['At']])
      deepEqual(opsIn(host.path), ['close', 'finalize'])
    },
  )
  await claimPublished(world)
  await story.claim('the remote has one row of each', () => {
    deepEqual(opsIn(bare), ['close', 'finalize'])
  })
}

const merged = requestCase({
  name: 'merged',
  about: 'the request is merged, then the close is finished; too early and after kill -9 before',
  forgeFlags: ['--checks-ms', '1500'],
  files,
  play: async world => {
    const { story, host } = world
    const head = host.head()
    const { status, json } = await close(world)
    await story.claim('the close is deferred, and no branch moves here', () => {
      deepEqual([status, json['Deferred'], host.head()], [200, header, head])
    })
    await claimOpen(world, true)
    await claimRefused(world, await finalize(world), [409, 'CloseNotMerged', 'opened'])
    await host.kill()
    story.tell(hostTown, 'is killed')
    await host.start()
    story.tell(hostTown, 'runs again')
    await story.claim('another close answers the same, and opens nothing', async () => {
      const again = await close(world)
      deepEqual([again.status, again.json['pending']], [200, json['pending']])
    })
    await claimStates(world, ['opened'])
    await asPerson(world, 'merge')
    await claimFinished(world, { pending: json['pending'] }, true)
    await claimOpen(world, false)
    await claimRefused(world, await close(world), [409, 'SessionClosed'])
    await claimStates(world, ['merged'])
  },
})

const forged = requestCase({
  name: 'forged',
  about: 'a pending that was altered is refused; the header alone finishes without the entry',
  forgeFlags: ['--checks-ms', '1500'],
  files,
  play: async world => {
    const pending = fieldsOf((await close(world)).json['pending'])
    await asPerson(world, 'merge')
    const entry = fieldsOf(pending['TransferLedgerEntry'])
    const altered = [
      { ...pending, Actor: 'Agar' },
      { ...pending, TransferLedgerEntry: { ...entry, Transfers: [] } },
    ]
    for (const one of altered)
      await claimRefused(world, await finalize(world, { pending: one }), [422, 'PendingAltered'])
    await world.story.claim('a key in another case is refused', async () => {
      const { Header: name, ...rest } = pending
      equal((await finalize(world, { pending: { ...rest, header: name } })).status, 400)
      deepEqual(opsIn(world.host.path), ['close'])
    })
    await claimFinished(world, { header }, false)
  },
})

const squashed = requestCase({
  name: 'squashed',
  about: 'the forge squashes the request while this host has other writes; the row is found by its header',
  forgeFlags: ['--checks-ms', '1500', '--squash'],
  files,
  play: async world => {
    const { story, bare, forge } = world
    await writeNth(world, 0)
    const { json } = await close(world)
    const [request] = await closes(world)
    const sha = gitIn(bare, 'rev-parse', request?.source ?? '')
    await asPerson(world, 'merge')
    await claimFinished(world, { pending: json['pending'] }, true)
    await story.claim('the forge squashed it', async () => {
      ok(!gitIn(bare, 'log', '--format=%H', 'main').includes(sha))
      equal((await forge.requests()).find(({ iid }) => iid === request?.iid)?.isSquashed, true)
    })
    await claimNothingLost(world)
  },
})

const closed = requestCase({
  name: 'closed',
  about: 'a person closes the request: the session is open again, and another close has another request',
  forgeFlags: ['--checks-ms', '1500'],
  files,
  play: async world => {
    await close(world)
    await asPerson(world, 'close')
    await claimRefused(world, await finalize(world), [409, 'CloseNotMerged', 'closed'])
    await claimOpen(world, true)
    const { json } = await close(world)
    await claimStates(world, ['closed', 'opened'])
    await asPerson(world, 'merge')
    await awaitSync(world, ({ lastAction }) => lastAction !== null)
    await claimFinished(world, { pending: json['pending'] }, true)
    await claimOpen(world, false)
  },
})

export const deferredCases: ReadonlyArray<ScenarioCase> = [merged, forged, squashed, closed]
