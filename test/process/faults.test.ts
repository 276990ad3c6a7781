import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'mocha'
import type { GatePorts } from '#actors/write-gate/mode.js'
import { actorKeys, actors } from '#src/node/tree/actors.js'
import type { TreeSource } from '#src/ports/git.js'
import { eventually } from '#test/support/daemon.js'
import type { Reply } from '#test/support/http-client.js'
import { legacyWorld } from '#test/support/legacy/legacy-world.js'
import { mintTokens } from '#test/support/mint-tokens.js'
import { type NodeOptions, nodeFiles, startNode, type TestNode } from '#test/support/node.js'
import { ordinaryMessages } from '#test/support/ordinary-messages.js'

const names = actorKeys.map(key => actors[key].name)
const ordinaryFor = (actor: string): object => {
  const key = actorKeys.find(one => actors[one].name === actor)
  if (key === undefined) throw new Error(`no actor is named ${actor}`)
  return ordinaryMessages[key]
}

const withSource = (gate: GatePorts, source: Partial<TreeSource>): GatePorts => ({
  ...gate,
  adoption: { ...gate.adoption, source: { ...gate.adoption.source, ...source } },
})

/** With a reader thread and a search tier: their actors have nothing to do without one. */
const server = { selfheal_interval_ms: 100, reader_threads: 1, search_index: 'lore' }
const oneThread: NodeOptions = { files: { ...nodeFiles, '.svc/config.json': JSON.stringify({ server }) } }

let node: TestNode

const readOrrin = (): Promise<Reply> => node.client.ask('/entities/Orrin')
const importNow = (query = '?dryRun=true', as: { readonly token?: string } = {}): Promise<Reply> =>
  node.client.ask(`/import${query}`, { method: 'POST', body: '{}', ...as })
const stateOf = (actor: string): string | undefined =>
  node.faults
    .kernel()
    .readings()
    .find(reading => reading.actor === actor)?.state

/** Makes the actor take a message, or carry out an effect. The front opens only when it starts. */
const prod = async (actor: string): Promise<unknown> => {
  if (actor === 'write-gate') return (await importNow()).status
  return node.faults.send(actor, ordinaryFor(actor))
}
const countRestarts = (actor: string, cause: string, times = 1): Promise<number> =>
  eventually(
    () => node.metric('svc_actor_restarts_total', { actor, cause }),
    count => count >= times,
  )
/** With every sibling that it took along. The listener may be away for a moment while it is opened again. */
const backAgain = async (): Promise<void> => {
  await eventually(
    async () =>
      node.faults
        .kernel()
        .readings()
        .every(reading => reading.state === 'running') &&
      (await readOrrin().then(
        got => got.status,
        () => 0,
      )),
    status => status === 200,
  )
  equal((await node.client.ask('/health')).status, 200)
  equal(node.gaveUp(), 0)
}

/** One node for every actor: each is made to fail once, within the budget that it has by itself. */
const shareNode = (options: NodeOptions): void => {
  before(async () => {
    node = await startNode(options)
  })
  after(() => node.stop())
}

describe('a throw in receive inside the whole node', () => {
  shareNode(oneThread)
  const countFaults = (): number => node.records.filter(one => one.event === 'fault').length

  for (const actor of names) {
    it(`is survived: of ${actor}`, async () => {
      const faults = countFaults()
      // The gate is ready before it has recovered: its own word of that must not be what is thrown at.
      if (actor === 'write-gate') equal((await importNow()).status, 200)
      node.faults.fail(actor, 'receive')
      const prodded = await prod(actor)
      if (actor === 'write-gate') equal(prodded, 503)
      equal((await readOrrin()).status, 200)
      equal(await countRestarts(actor, 'receive'), 1)
      equal(await node.metric('svc_actor_quarantined_total', { actor }), 1)
      await backAgain()
      equal(countFaults(), faults + 1)
    })
  }
})

describe('a throw in perform inside the whole node', () => {
  shareNode(oneThread)

  for (const actor of names) {
    it(`is survived: of ${actor}`, async () => {
      node.faults.fail(actor, 'perform')
      if (actor === 'http-front') node.faults.fail(actor, 'receive')
      await prod(actor)
      equal((await readOrrin()).status, 200)
      await countRestarts(actor, actor === 'http-front' ? 'initial' : 'effect')
      await backAgain()
    })
  }
})

describe('bad mail inside the whole node', () => {
  shareNode(oneThread)

  it('is sent to every actor of the tree', () => {
    deepEqual(
      node.faults
        .kernel()
        .readings()
        .map(reading => reading.actor),
      names,
    )
  })

  for (const actor of names) {
    it(`is survived: a message that ${actor} cannot decode`, async () => {
      const labels = { actor, reason: 'undecodable' }
      const undecodable = await node.metric('svc_actor_dead_letters_total', labels)
      node.faults.send(actor, { _tag: 'Nonsense' })
      node.faults.send(actor, {
        get _tag(): string {
          throw new Error('a poisoned getter')
        },
      })
      await eventually(
        () => node.metric('svc_actor_dead_letters_total', labels),
        count => count === undecodable + 2,
      )
      equal(await node.metric('svc_actor_restarts_total', { actor }), 0)
      await backAgain()
    })

    it(`is survived: more mail than ${actor} takes`, async () => {
      const mailboxMax =
        node.faults
          .kernel()
          .readings()
          .find(one => one.actor === actor)?.mailboxMax ?? 0
      const message = { _tag: 'Nonsense' }
      const answers = Array.from({ length: mailboxMax + 10 }, () => node.faults.send(actor, message))
      const turnedAway = answers.filter(one => one === 'full').length
      // A wake or a tick of its own may lie in the mailbox, or be turned away too.
      ok(turnedAway >= 10 && turnedAway <= 12, `${turnedAway} turned away`)
      equal((await readOrrin()).status, 200)
      ok((await node.metric('svc_actor_rejected_total', { actor })) >= turnedAway)
      await backAgain()
    })
  }
})

describe('a fault inside an actor of the whole node', () => {
  const start = async (options: NodeOptions = {}): Promise<void> => {
    node = await startNode(options)
  }
  afterEach(() => node.stop())

  for (const actor of names)
    it(`is survived: an effect of ${actor} that never ends`, async () => {
      await start({ ...(actor === 'reader-pool' ? oneThread : {}), heartbeatMs: 50, stuckMs: 300 })
      const release = node.faults.hold(actor)
      if (actor === 'http-front') node.faults.fail(actor, 'receive')
      const prodded = prod(actor)
      await eventually(
        () => Promise.resolve(node.faults.held(actor)),
        held => held > 0,
      )
      equal((await readOrrin()).status, 200)
      await countRestarts(actor, 'stuck')
      equal((await readOrrin()).status, 200)
      release()
      if (actor === 'write-gate') equal(await prodded, 503)
      await backAgain()
      await eventually(
        () => Promise.resolve(node.records),
        records => records.some(one => one.event === 'late_result' && one.fields['actor'] === actor),
      )
    })

  it('sheds imports at a full gate with 503 and Retry-After, and answers every one that it took', async () => {
    const nothing = { entries: [], skipped: [] }
    await start({
      amend: ports => ({
        ...ports,
        gate: withSource(ports.gate, { list: () => Promise.resolve(nothing) }),
      }),
    })
    const release = node.faults.hold('write-gate')
    const asked = mintTokens(node, 'admin.migrate', 700).map(token => importNow(undefined, { token }))
    // One is carried out, 256 wait in the gate, 63 refusals wait behind the one, 256 wait in the mailbox.
    const rejected = await eventually(
      () => node.metric('svc_actor_rejected_total', { actor: 'write-gate' }),
      count => count === 700 - 1 - 256 - 63 - 256,
    )
    equal((await readOrrin()).status, 200)
    release()
    const answers = await Promise.all(asked)
    const shed = answers.filter(answer => answer.status === 503)
    ok(shed.length >= rejected)
    for (const answer of shed) {
      match(answer.text, /"Overloaded"/)
      ok(Number(answer.headers['retry-after']) >= 1)
    }
    const taken = answers.filter(answer => answer.status === 200).length
    equal(taken + shed.length, 700)
    ok(taken >= 257)
  })

  it('keeps an adoption that was superseded from committing after its asker was refused', async () => {
    let release: () => void = () => undefined
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    await start({
      files: legacyWorld,
      heartbeatMs: 50,
      stuckMs: 2_000,
      amend: ports => ({
        ...ports,
        gate: withSource(ports.gate, {
          list: async head => {
            await held
            return ports.gate.adoption.source.list(head)
          },
        }),
      }),
    })
    equal((await importNow('')).status, 503)
    release()
    await eventually(
      () => Promise.resolve(node.records.filter(one => one.event === 'late_result').length),
      count => count === 1,
    )
    equal(node.repository.git('rev-list', '--count', 'HEAD'), '1')
    await eventually(
      () => importNow(''),
      answer => answer.status === 200,
    )
    equal(node.repository.git('rev-list', '--count', 'HEAD'), '2')
  })

  it('ends the node only by the root, which says why', async () => {
    await start()
    node.faults.fail('http-front', 'perform', 1_000)
    node.faults.fail('http-front', 'receive')
    await prod('http-front')
    await eventually(
      () => Promise.resolve(node.gaveUp()),
      times => times === 1,
    )
    const said = node.records.find(one => one.event === 'gave_up' && 'error' in one.fields)
    match(String(said?.fields['error']), /made to fail in perform/)
    equal(stateOf('corpus-keeper'), 'stopped')
  })
})
