import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { bindingsPath } from '#src/domain/identity/bindings.js'
import { type ForgeDouble, type ForgeDoubleOptions, forgeDouble } from '#test/support/forge/forge-double.js'
import { portOfDouble } from '#test/support/forge/forge-world.js'
import { rowOfBinding } from '#test/support/identity/linked-world.js'
import { type Fields, isFields } from '#test/support/matching.js'
import { nodeFiles, startNode, type TestNode } from '#test/support/node.js'
import { gitIn, temporaryFolder } from '#test/support/repository.js'

const ledger = '.svc/close/ledger.jsonl'
const header = '2026-05-10, Most, Solmyr'
const session = [
  `### ${header}`,
  '',
  'Opis.',
  '',
  '- @Lokacje: Most',
  '- @Transfer: 5 koron, Wit -> Orrin',
  '- @Intel:',
  '    - Orrin: Zapłacono.',
  '',
].join('\n')
const purse = (name: string, amount: number): string =>
  `### Korony ${name}\n- @typ: Przedmiot\n- @generyczne_nazwy: Korony Elanckie\n- @należy_do: ${name}\n- @ilość: ${amount}\n\n`

const files = (forge: Pick<ForgeDouble, 'apiUrl' | 'project'>) => ({
  ...nodeFiles,
  '.svc/config.json': JSON.stringify({
    server: { publish_mode: 'mr', selfheal_interval_ms: 100 },
    integrations: { forge: { api_url: forge.apiUrl, project: forge.project } },
  }),
  'encje/indeks.md': `### Wit\n- @typ: NPC\n\n### Orrin\n- @typ: NPC\n\n### Most\n- @typ: Lokacja\n\n${purse('Wit', 20)}${purse('Orrin', 1)}`,
  'sesje/maj.md': session,
  'kontrybutorzy.md':
    '## Gracz\n### Solmyr\n- @gameid: 1\n- @rola: Narrator\n### Gelu\n- @gameid: 2\n- @rola: Narrator\n## Role\n### Narrator\n',
  [bindingsPath]: JSON.stringify({ bindings: [rowOfBinding('111', '1'), rowOfBinding('222', '2')] }),
})

const fieldsOf = (json: unknown): Fields => {
  ok(isFields(json), JSON.stringify(json))
  return json
}

describe('a deferred close', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let bare: string
  let forge: ForgeDouble
  let node: TestNode
  /** The clock of the forge: a request is mergeable an hour after it was opened. */
  let forgeMs: number

  const open = async (options: Partial<ForgeDoubleOptions> = {}): Promise<void> => {
    folder = temporaryFolder()
    bare = join(folder.path, 'bare.git')
    forgeMs = 0
    forge = await forgeDouble({ repository: bare, nowMs: () => forgeMs, checksMs: 3_600_000, ...options })
    const environment = { ...process.env, SVC_FORGE_TOKEN: forge.token }
    node = await startNode({ files: files(forge), environment })
    node.repository.git('push', '-q', bare, 'main')
    node.repository.git('remote', 'add', 'origin', forge.remote)
  }
  beforeEach(() => open())
  afterEach(async () => {
    await node.stop()
    await forge.close()
    folder.dispose()
  })

  const post = async (path: string, body: object) => {
    const reply = await node.client.ask(path, { method: 'POST', body: JSON.stringify(body) })
    return { status: reply.status, json: fieldsOf(reply.json) }
  }
  const close = () => post('/workflows/close-session', { header })
  const finalize = (body: object = { header }) => post('/workflows/finalize-close', body)
  const isOpen = async (): Promise<boolean> =>
    JSON.stringify((await node.client.ask('/sessions/open')).json).includes(header)
  const rows = (repo: string, at: string): ReadonlyArray<Fields> =>
    gitIn(repo, 'ls-tree', at, '--', ledger) === ''
      ? []
      : gitIn(repo, 'show', `${at}:${ledger}`)
          .split('\n')
          .filter(Boolean)
          .map(line => fieldsOf(JSON.parse(line)))
  const ops = (repo = node.repository.path, at = 'HEAD') => rows(repo, at).map(({ op }) => op)
  const states = (): ReadonlyArray<string> => forge.requests().map(({ state }) => state)
  const merge = async (iid: number): Promise<void> => {
    forgeMs += 7_200_000
    const port = portOfDouble(forge)
    const signal = AbortSignal.timeout(60_000)
    const { outcome: read } = await port({ _tag: 'ReadRequest', iid }, 60_000, signal)
    const sha = read._tag === 'Request' ? (read.request.sha ?? '') : ''
    const { outcome } = await port({ _tag: 'MergeRequest', iid, sha }, 60_000, signal)
    equal(outcome._tag, 'Request')
  }

  it('carries the row in a request of its own, and the session stays open until that is merged', async () => {
    const head = node.repository.git('rev-parse', 'HEAD')
    const { status, json } = await close()
    deepEqual([status, json['Applied'], json['Deferred']], [200, false, header])
    equal(fieldsOf(json['Request'])['Iid'], 1)
    deepEqual([node.repository.git('rev-parse', 'HEAD'), await isOpen(), states()], [head, true, ['opened']])
    const branch = forge.requests()[0]?.source ?? ''
    match(branch, /^svc\/close\/[0-9a-f]{16}-1$/)
    deepEqual([ops(bare, branch), ops(bare, 'main')], [['close'], []])
    match(gitIn(bare, 'log', '-1', '--format=%B', branch), /Svc-Route: POST \/workflows\/close-session/)
    const early = await finalize()
    deepEqual([early.status, early.json['error'], early.json['state']], [409, 'CloseNotMerged', 'opened'])
    await merge(1)
    const done = await finalize({ pending: json['pending'] })
    deepEqual([done.status, done.json['Applied'], done.json['Entry']], [200, true, true])
    deepEqual([await isOpen(), ops()], [false, ['close', 'finalize']])
    deepEqual(
      rows(node.repository.path, 'HEAD')[1]?.['entry'],
      fieldsOf(json['pending'])['TransferLedgerEntry'],
    )
    const twice = await finalize()
    deepEqual([twice.json['Applied'], twice.json['At']], [false, done.json['At']])
    deepEqual(ops(), ['close', 'finalize'])
    equal((await close()).json['error'], 'SessionClosed')
  })

  it('adopts the branch and the request that are there, also after a lost answer', async () => {
    forge.disturb({ on: 'open', do: 'garble' })
    const first = await close()
    deepEqual([first.status, states()], [200, ['opened']])
    const again = await close()
    deepEqual(again.json['pending'], first.json['pending'])
    deepEqual(states(), ['opened'])
    forge.disturb({ on: 'list', do: 503 })
    equal((await close()).json['error'], 'NotPublished')
  })

  it('opens the request of a branch that a killed process has pushed', async () => {
    forge.disturb({ on: 'open', do: 503 })
    const lost = await close()
    deepEqual([lost.status, states()], [503, []])
    const again = await close()
    deepEqual([again.status, states()], [200, ['opened']])
    const [row] = rows(bare, forge.requests()[0]?.source ?? '')
    equal(fieldsOf(fieldsOf(again.json['pending'])['TransferLedgerEntry'])['At'], row?.['at'])
  })

  it('by chat is of the linked person, who reads that it waits, in Polish also where forge or remote are away', async () => {
    const byChat = (chatId: string, more: object = {}) =>
      post('/workflows/close-session-by-chat', { chatId, ...more })
    const others = await byChat('222', { header })
    deepEqual([others.status, others.json['error'], states()], [403, 'NotYourSession', []])
    forge.disturb({ on: 'list', do: 503 })
    const away = await byChat('111')
    deepEqual([away.status, away.json['error'], away.json['reason']], [503, 'NotPublished', 'unreachable'])
    match(
      String(away.json['detail']),
      /^Zdalne repozytorium kroniki nie odpowiada, więc nic nie zostało zapisane\./,
    )
    const head = node.repository.head()
    const { status, json } = await byChat('111', { interactionId: '900100200300400501' })
    deepEqual([status, json['Applied'], json['Deferred']], [200, false, header], JSON.stringify(json))
    match(
      String(json['announcement']),
      /^Zamknięcie sesji „2026-05-10, Most, Solmyr” czeka na scalenie zlecenia\./,
    )
    deepEqual([node.repository.head(), await isOpen(), states()], [head, true, ['opened']])
    const branch = forge.requests()[0]?.source ?? ''
    const message = gitIn(bare, 'log', '-1', '--format=%B', branch)
    match(message, /^Svc-Interaction: 900100200300400501$/m)
    match(message, /^Svc-Route: POST \/workflows\/close-session-by-chat$/m)
    deepEqual(
      rows(bare, branch).map(({ op, by }) => [op, by]),
      [['close', 'Solmyr']],
    )
    const again = await byChat('111')
    deepEqual([again.json['pending'], states()], [json['pending'], ['opened']])
    await merge(1)
    equal((await finalize({ pending: json['pending'] })).json['Applied'], true)
    deepEqual([await isOpen(), ops()], [false, ['close', 'finalize']])
    const late = await byChat('111', { header })
    deepEqual([late.status, late.json['error']], [409, 'SessionClosed'])
    match(String(late.json['detail']), /jest już zamknięta od /)
  })

  it('is open again when a person closes the request, and another close has another branch', async () => {
    await close()
    await forge.veto(1)
    const early = await finalize()
    deepEqual([early.status, early.json['state'], await isOpen()], [409, 'closed', true])
    equal((await close()).status, 200)
    deepEqual(states(), ['closed', 'opened'])
    match(forge.requests()[1]?.source ?? '', /-2$/)
    await merge(2)
    equal((await finalize()).json['Applied'], true)
  })

  it('takes nothing but its own pending', async () => {
    const { json } = await close()
    await merge(1)
    const pending = fieldsOf(json['pending'])
    const entry = fieldsOf(pending['TransferLedgerEntry'])
    const forged = [
      { ...pending, Actor: 'Ktoś' },
      { ...pending, TransferLedgerEntry: { ...entry, Transfers: [] } },
    ]
    for (const one of forged) {
      const refused = await finalize({ pending: one })
      deepEqual([refused.status, refused.json['error']], [422, 'PendingAltered'])
    }
    const { Header: name, ...rest } = pending
    equal((await finalize({ pending: { ...rest, header: name } })).status, 400)
    equal((await finalize({ pending, header })).json['error'], 'ValueRefused')
    equal((await finalize({})).json['error'], 'ValueRefused')
    deepEqual(ops(), ['close'])
    const bare = await finalize()
    deepEqual([bare.json['Applied'], bare.json['Entry']], [true, false])
    equal(rows(node.repository.path, 'HEAD')[1]?.['entry'], undefined)
  })

  it('carries nothing else that this host has not published, and waits where the session itself is not', async () => {
    const patched = await node.client.ask('/entities/Most', {
      method: 'PATCH',
      body: JSON.stringify({ tag: '@info', value: 'Kamienny.' }),
    })
    equal(patched.status, 200)
    const { json } = await close()
    const iid = Number(fieldsOf(json['Request'])['Iid'])
    const branch = forge.requests().find(one => one.iid === iid)?.source ?? ''
    equal(gitIn(bare, 'show', `${branch}:encje/indeks.md`).includes('Kamienny'), false)
    node.repository.commit({ 'sesje/maj.md': session.replace('Opis.', 'Inny opis.') })
    await node.host.look()
    await forge.veto(iid)
    const waits = await close()
    deepEqual([waits.status, waits.json['reason']], [503, 'behind'])
  })

  it('is found by its header where the forge squashes it', async () => {
    await node.stop()
    await forge.close()
    folder.dispose()
    await open({ squashes: true })
    const { json } = await close()
    const sha = gitIn(bare, 'rev-parse', forge.requests()[0]?.source ?? '')
    await merge(1)
    const done = await finalize({ pending: json['pending'] })
    deepEqual([done.status, done.json['Applied'], done.json['Entry']], [200, true, true])
    equal(gitIn(bare, 'log', '--format=%H', 'main').includes(sha), false)
  })
})
