import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { eventually } from '#test/support/daemon.js'
import { type ForgeDouble, forgeDouble } from '#test/support/forge/forge-double.js'
import { type Fields, isFields } from '#test/support/matching.js'
import { nodeFiles, startNode, type TestNode } from '#test/support/node.js'
import { gitIn, temporaryFolder } from '#test/support/repository.js'

const ledger = '.svc/pu/batches.jsonl'
const index = 'encje/indeks.md'
const wit = '### Wit\n- @typ: Postać\n- @pu_suma: 20.00\n- @pu_zdobyte: 0.00\n- @pu_nadmiar: 0.00\n'
const session = (header: string): string =>
  `### ${header}\n\nOpis.\n\n- @Lokacje: Most\n- @PU:\n    - Wit: 0.5\n\n`

const files = (forge: Pick<ForgeDouble, 'apiUrl' | 'project'>) => ({
  ...nodeFiles,
  '.svc/config.json': JSON.stringify({
    server: { publish_mode: 'mr', selfheal_interval_ms: 100 },
    integrations: { forge: { api_url: forge.apiUrl, project: forge.project } },
  }),
  [index]: `${wit}\n### Orrin\n- @typ: NPC\n`,
  'encje/miejsca.md': '### Most\n- @typ: Lokacja\n',
  'sesje/maj.md': session('2026-05-10, Most, Solmyr'),
  'sesje/czerwiec.md': session('2026-06-10, Wieża, Solmyr'),
})

const fieldsOf = (json: unknown): Fields => {
  ok(isFields(json), JSON.stringify(json))
  return json
}

describe('a merge request of enactments', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let bare: string
  let forge: ForgeDouble
  let node: TestNode
  /** The clock of the forge: a request is mergeable an hour after it was opened. */
  let forgeMs: number

  beforeEach(async () => {
    folder = temporaryFolder()
    bare = join(folder.path, 'bare.git')
    forgeMs = 0
    forge = await forgeDouble({ repository: bare, nowMs: () => forgeMs, checksMs: 3_600_000 })
    node = await startNode({
      files: files(forge),
      town: '',
      environment: { ...process.env, SVC_FORGE_TOKEN: forge.token },
    })
    node.repository.git('push', '-q', bare, 'main')
    node.repository.git('remote', 'add', 'origin', forge.remote)
  })
  afterEach(async () => {
    await node.stop()
    await forge.close()
    folder.dispose()
  })

  const ask = async (path: string, method: string, body: object) => {
    const reply = await node.client.ask(path, { method, body: JSON.stringify(body) })
    equal(reply.status, 200, reply.text)
    return fieldsOf(reply.json)
  }
  const award = (month = '2026-05') => ask('/workflows/award-pu', 'POST', { month })
  const patch = (value: string) => ask('/entities/Orrin', 'PATCH', { tag: '@info', value })
  const converge = () => ask('/sync', 'POST', {})
  const lore = (at = 'HEAD'): string => node.repository.git('show', `${at}:${index}`)
  const hasLedger = (repo: string, at: string): boolean => gitIn(repo, 'ls-tree', at, '--', ledger) !== ''
  const reversals = (): string =>
    node.repository.git('log', '--format=%s', '--grep=^Svc-Route: REVERSE /workflows/award-pu')
  const states = (): ReadonlyArray<string> => forge.requests().map(({ state }) => state)
  const recorded = (): ReadonlyArray<string> =>
    (node.host.sync.lint.get()?.findings ?? [])
      .map(({ kind }) => kind)
      .filter(kind => kind.includes('rozliczenie'))
  /** The notices of batches that wait for their commits, and those that have ended: Wit has no Gracz. */
  const notices = () => {
    const { deliveries } = node.host.checkout.runtime
    return [deliveries.owing().length, deliveries.list('pu', 10, 0).map(({ status }) => status)]
  }
  /** Converges until the request is open, closes it as a person does, and converges again. */
  const closeRequest = async (iid: number) => {
    await eventually(converge, fields => fields['lastAction'] === 'mr_waits_for_forge')
    await forge.veto(iid)
    await eventually(converge, fields => fields['lastAction'] === 'request_closed')
  }

  it('carries the batch, and moves the branch here at once', async () => {
    equal((await award())['Applied'], true)
    ok(lore().includes('@pu_suma: 21.50'))
    equal(hasLedger(bare, 'main'), false)
    await eventually(converge, fields => fields['lastAction'] === 'mr_waits_for_forge')
    deepEqual(notices(), [1, []])
    forgeMs = 7_200_000
    await eventually(converge, fields => fields['unpublished'] === 0)
    ok(hasLedger(bare, 'main'))
    deepEqual([states(), reversals()], [['merged'], ''])
    await node.host.releaseNotices(true)
    deepEqual(notices(), [0, ['refused']])
  })

  it('is taken back once when a person closes it, and the month is open again', async () => {
    await award()
    await closeRequest(1)
    await eventually(converge, fields => fields['unpublished'] === 0)
    equal(`${lore()}\n`, `${wit}\n### Orrin\n- @typ: NPC\n`)
    equal(hasLedger(node.repository.path, 'HEAD'), false)
    match(reversals(), /^sync: take back 2026-05-[0-9a-f]{12}; request 1 was closed$/)
    for (let round = 0; round < 3; round += 1) await converge()
    deepEqual([states(), reversals().split('\n').length], [['closed'], 1])
    deepEqual(recorded(), ['cofniete-rozliczenie'])
    const told = node.records.filter(({ event }) => event === 'enactments_taken_back')
    deepEqual(
      told.map(({ fields }) => fields['mrIid']),
      [1],
    )
    equal((await award())['Applied'], true)
    await eventually(converge, fields => fields['lastAction'] === 'mr_waits_for_forge')
    forgeMs = 7_200_000
    await eventually(converge, fields => fields['unpublished'] === 0)
    ok(gitIn(bare, 'show', `main:${index}`).includes('@pu_suma: 21.50'))
    equal(gitIn(bare, 'show', `main:${ledger}`).split('\n').length, 1)
    deepEqual([states(), reversals().split('\n').length, recorded()], [['closed', 'merged'], 1, []])
  })

  it('keeps the other writes of the closed request, which wait for the next write, and sends no notice of it', async () => {
    await patch('przed')
    await award()
    await ask('/workflows/distribute-session', 'POST', { header: '2026-05-10, Most, Solmyr' })
    const isListed = (header: string): boolean =>
      node.repository.git('show', 'HEAD:Lokacje/Most/Sesje.md').includes(header)
    ok(isListed('2026-05-10, Most, Solmyr'))
    await closeRequest(1)
    await eventually(converge, () => reversals() !== '')
    deepEqual([states(), lore().includes('przed'), lore().includes('21.50')], [['closed'], true, false])
    await node.host.releaseNotices(true)
    deepEqual(notices(), [0, []])
    deepEqual(['2026-05-10, Most, Solmyr', '2026-06-10, Wieża, Solmyr'].map(isListed), [false, true])
    await converge()
    deepEqual(states(), ['closed'])
    await patch('po')
    await eventually(converge, fields => fields['lastAction'] === 'mr_waits_for_forge')
    forgeMs = 7_200_000
    await eventually(converge, fields => fields['unpublished'] === 0)
    deepEqual([states(), hasLedger(bare, 'main')], [['closed', 'merged'], false])
    await node.host.releaseNotices(true)
    deepEqual(notices(), [0, []], 'the remote has the commit, and not its row')
    ok(gitIn(bare, 'show', `main:${index}`).includes('po'))
  })

  it('blocks publishing, with a finding, where the figures were changed since', async () => {
    await award()
    await eventually(converge, fields => fields['lastAction'] === 'mr_waits_for_forge')
    node.repository.commit({ [index]: lore().replace('@pu_suma: 21.50', '@pu_suma: 30.00') })
    await node.host.look()
    await forge.veto(1)
    const closed = await eventually(converge, fields => fields['lastAction'] === 'request_closed')
    match(
      String(closed['lastDetail']),
      /could not take back 2026-05-.* publishes nothing\. .*Wit: Its figures/,
    )
    await patch('po')
    await converge()
    deepEqual([states(), reversals(), recorded()], [['closed'], '', ['niecofniete-rozliczenie']])
    ok(lore().includes('@pu_suma: 30.00'))
    node.repository.commit({ [index]: lore().replace('@pu_suma: 30.00', '@pu_suma: 21.50') })
    await node.host.look()
    await eventually(converge, () => reversals() !== '')
    ok(lore().includes('@pu_suma: 20.00'))
    await eventually(converge, () => states().length === 2)
    equal(recorded().includes('niecofniete-rozliczenie'), false)
  })
})
