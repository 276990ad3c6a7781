import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { GatePorts } from '#actors/write-gate/mode.js'
import { closeLedgerPath } from '#src/domain/sessions/effects/closed-sessions.js'
import { type Fields, isFields } from '#test/support/matching.js'
import { nodeFiles, startNode, type TestNode } from '#test/support/node.js'
import { cloneOf, gitIn, temporaryFolder, writeFiles } from '#test/support/repository.js'

type Push = GatePorts['push']

const fieldsOf = (json: unknown): Fields => {
  ok(isFields(json), JSON.stringify(json))
  return json
}

const header = '2026-05-10, Most, Solmyr'
const purse = (owner: string, amount: number): string =>
  `### Korony ${owner}\n- @typ: Przedmiot\n- @należy_do: ${owner}\n- @generyczne_nazwy: Korony Elanckie\n- @ilość: ${amount}\n`

const files = {
  ...nodeFiles,
  '.svc/config.json': '{"server": {"publish_mode": "push"}}\n',
  'encje/indeks.md': [
    '### Wit\n- @typ: NPC\n',
    '### Orrin\n- @typ: NPC\n',
    '### Most\n- @typ: Lokacja\n',
    purse('Wit', 100),
    purse('Orrin', 0),
  ].join('\n'),
  'sesje/maj.md': `### ${header}\n\nOpis.\n\n- @Lokacje:\n    - Most\n- @Transfer: 60 koron, Wit -> Orrin\n`,
}

describe('a close in mode push', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let bare: string
  let other: string
  let node: TestNode
  let push: (real: Push, ...given: Parameters<Push>) => ReturnType<Push>

  beforeEach(async () => {
    push = (real, ...given) => real(...given)
    folder = temporaryFolder()
    bare = join(folder.path, 'bare.git')
    other = join(folder.path, 'other')
    node = await startNode({
      files,
      amend: ports => ({
        ...ports,
        gate: { ...ports.gate, push: (...given) => push(ports.gate.push, ...given) },
      }),
    })
    gitIn(folder.path, 'clone', '-q', '--bare', node.repository.path, bare)
    cloneOf(bare, other)
    node.repository.git('remote', 'add', 'origin', bare)
  })
  afterEach(async () => {
    await node.stop()
    folder.dispose()
  })

  const close = async (query = '') => {
    const reply = await node.client.ask(`/workflows/close-session${query}`, {
      method: 'POST',
      body: JSON.stringify({ header }),
    })
    return { status: reply.status, commit: reply.headers['x-svc-commit'], json: fieldsOf(reply.json) }
  }
  const amountOf = async (name: string) =>
    fieldsOf((await node.client.ask(`/entities/${encodeURIComponent(name)}`)).json)['Quantity']
  const rowsThere = () =>
    gitIn(bare, 'show', `main:${closeLedgerPath}`)
      .trimEnd()
      .split('\n')
      .map(line => fieldsOf(JSON.parse(line)))
  const othersClose = (row: object): void => {
    gitIn(other, 'pull', '-q')
    writeFiles(other, { [closeLedgerPath]: `${JSON.stringify(row)}\n` })
    gitIn(other, 'add', '-A')
    gitIn(other, 'commit', '-q', '-m', 'zamknięcie')
    gitIn(other, 'push', '-q')
  }

  it('is one commit in the remote, with its row and the line of its place, and counts here at once', async () => {
    const before = node.repository.head()
    const { status, json, commit } = await close()
    deepEqual([status, json['Closed']], [200, header], JSON.stringify(json))
    deepEqual([gitIn(bare, 'rev-parse', 'main'), node.repository.head()], [commit, commit])
    equal(node.repository.git('rev-list', '--count', `${before}..HEAD`), '1')
    equal(
      node.repository.git('diff', '--name-only', '-z', before, 'HEAD'),
      [closeLedgerPath, 'Lokacje/Most/Sesje.md', ''].join('\0'),
    )
    match(node.repository.git('log', '-1', '--format=%B'), /^Svc-Route: POST \/workflows\/close-session$/m)
    deepEqual([await amountOf('Korony Wit'), await amountOf('Korony Orrin')], [40, 60])
    equal(node.repository.git('status', '--porcelain', '--untracked-files=no'), '')
    const again = await close()
    deepEqual([again.status, again.json['error'], again.json['at']], [409, 'SessionClosed', json['At']])
    equal(rowsThere().length, 1)
  })

  it('is refused by the plan on the tip of the host that was faster, and told by whom', async () => {
    const row = {
      ...{ header, op: 'close', at: '2026-06-01T08:00:00Z', by: 'Gelu', source: 'close' },
      ...{ transfers: [], intel: [] },
    }
    push = (real, ...given) => {
      push = (again, ...more) => again(...more)
      othersClose(row)
      return real(...given)
    }
    const { status, json } = await close()
    deepEqual(
      [status, json['error'], json['at'], json['by']],
      [409, 'SessionClosed', '2026-06-01T08:00:00Z', 'Gelu'],
    )
    deepEqual(rowsThere(), [row])
    deepEqual([await amountOf('Korony Wit'), await amountOf('Korony Orrin')], [40, 60])
  })

  it('writes nothing in a dry run', async () => {
    const before = node.repository.head()
    const { status, json } = await close('?dryRun=true')
    deepEqual([status, json['WouldClose']], [200, header])
    deepEqual([node.repository.head(), gitIn(bare, 'rev-parse', 'main')], [before, before])
  })
})
