import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'mocha'
import type { GatePorts } from '#actors/write-gate/mode.js'
import { eventually } from '#test/support/daemon.js'
import { type Fields, isFields } from '#test/support/matching.js'
import { nodeFiles, startNode, type TestNode } from '#test/support/node.js'
import { cloneOf, gitIn, temporaryFolder, writeFiles } from '#test/support/repository.js'

type Push = GatePorts['push']

const fieldsOf = (json: unknown): Fields => {
  ok(isFields(json), JSON.stringify(json))
  return json
}

const ledger = '.svc/pu/batches.jsonl'
const session = (header: string, points: string): string =>
  `### ${header}\n\nOpis.\n\n- @PU:\n    - ${points}\n\n`
/** A month of each test, so that all of them share one world: its Postać, and the files of both. */
const lives = [
  ...['Adam', 'Bogna', 'Celina', 'Dobromir', 'Edyta', 'Fabian'],
  ...['Gniewosz', 'Hieronim', 'Idalia', 'Jarosław', 'Klemens', 'Ludwika'],
].map((who, at) => {
  const month = `2026-${String(at + 1).padStart(2, '0')}`
  return {
    ...{ who, month, index: `encje/${month}.md`, file: `sesje/${month}.md` },
    header: `${month}-10, Most, Solmyr`,
    late: `${month}-20, Późna, Solmyr`,
    first: session(`${month}-10, Most, Solmyr`, `${who}: 0.5`),
  }
})
type Life = (typeof lives)[number]

const files = {
  ...nodeFiles,
  '.svc/config.json': '{"server": {"publish_mode": "push"}}\n',
  'encje/indeks.md': '### Orrin\n- @typ: NPC\n',
  ...Object.fromEntries(
    lives.flatMap(({ who, index, file, first }) => [
      [index, `### ${who}\n- @typ: Postać\n- @pu_startowe: 20\n`],
      [file, first],
    ]),
  ),
}

describe('an enactment in mode push', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let bare: string
  let other: string
  let node: TestNode
  let pushes = 0
  /** How many tests have begun. */
  let begun = 0
  let life: Life
  /** The commits that the audit stream has when a test begins. */
  let known: ReadonlySet<unknown>
  /** What takes the place of a push; by default the push itself. */
  let push: (real: Push, ...given: Parameters<Push>) => ReturnType<Push>

  before(async () => {
    folder = temporaryFolder()
    bare = join(folder.path, 'bare.git')
    other = join(folder.path, 'other')
    node = await startNode({
      files,
      amend: ports => ({
        ...ports,
        gate: {
          ...ports.gate,
          push: (...given) => {
            pushes += 1
            return push(ports.gate.push, ...given)
          },
        },
      }),
    })
    gitIn(folder.path, 'clone', '-q', '--bare', node.repository.path, bare)
    cloneOf(bare, other)
    node.repository.git('remote', 'add', 'origin', bare)
  })
  beforeEach(async () => {
    const [next] = lives.slice(begun)
    ok(next !== undefined, 'there are more tests than months')
    life = next
    begun += 1
    pushes = 0
    push = (real, ...given) => real(...given)
    known = new Set(await auditLines())
  })
  after(async () => {
    await node.stop()
    folder.dispose()
  })

  /** The commits of the `write` lines of the audit stream. */
  const auditLines = async (): Promise<ReadonlyArray<unknown>> => {
    const { items } = fieldsOf((await node.client.ask('/logs/audit')).json)
    const lines = Array.isArray(items) ? items.map(fieldsOf) : []
    return lines.flatMap(line => (line['action'] === 'write' ? [line['commit']] : []))
  }
  /** Those of this test, as soon as there is one. */
  const audited = () =>
    eventually(
      async () => (await auditLines()).filter(commit => !known.has(commit)),
      lines => lines.length > 0,
    )
  const award = async () => {
    const reply = await node.client.ask('/workflows/award-pu', {
      method: 'POST',
      body: JSON.stringify({ month: life.month }),
    })
    return { status: reply.status, json: fieldsOf(reply.json), commit: String(reply.headers['x-svc-commit']) }
  }
  /** The rows of the month of this test. */
  const rows = (repo: string, at: string): ReadonlyArray<Fields> =>
    gitIn(repo, 'ls-tree', '-r', '--name-only', at).includes(ledger)
      ? gitIn(repo, 'show', `${at}:${ledger}`)
          .split('\n')
          .filter(line => line !== '')
          .map(line => fieldsOf(JSON.parse(line)))
          .filter(row => row['month'] === life.month)
      : []
  const hasRow = (repo: string): boolean => rows(repo, 'main').length > 0
  /** How the notices of the Postać of this test ended. It has no Gracz, so that they end without a message. */
  const noticed = () =>
    node.host.checkout.runtime.deliveries
      .list('pu', 50, 0)
      .flatMap(({ entity, status }) => (entity === life.who ? [status] : []))
  const othersWrite = (change: Readonly<Record<string, string>>): void => {
    gitIn(other, 'pull', '-q')
    writeFiles(other, change)
    gitIn(other, 'add', '-A')
    gitIn(other, 'commit', '-qm', 'other')
    gitIn(other, 'push', '-q')
  }

  it('is in the remote before the branch here moves and the answer leaves', async () => {
    let [headAtPush, pushed] = ['', '']
    push = (real, commit, signal) => {
      headAtPush = node.repository.head()
      pushed = commit
      return real(commit, signal)
    }
    const { status, json, commit } = await award()
    deepEqual([status, json['Applied']], [200, true], JSON.stringify(json))
    notEqual(headAtPush, pushed)
    deepEqual([commit, gitIn(bare, 'rev-parse', 'main'), node.repository.head()], [pushed, pushed, pushed])
    match(node.repository.git('log', '-1', '--format=%B'), /^Svc-Route: POST \/workflows\/award-pu$/m)
    equal(rows(bare, 'main').length, 1)
  })

  it('is planned again on what another host was faster with', async () => {
    push = (real, ...given) => {
      if (pushes === 1) othersWrite({ [life.file]: `${life.first}${session(life.late, `${life.who}: 1`)}` })
      return real(...given)
    }
    const { status, json } = await award()
    equal(status, 200, JSON.stringify(json))
    deepEqual(json['CountedSessions'], [life.header, life.late])
    equal(pushes, 2)
    deepEqual(
      rows(bare, 'main').map(row => row['sessions']),
      [json['CountedSessions']],
    )
    equal(gitIn(bare, 'rev-parse', 'main'), node.repository.head())
    await node.host.releaseNotices(true)
    deepEqual(noticed(), ['refused'], 'of the commit that won alone')
    equal(node.repository.git('status', '--porcelain', '--untracked-files=no'), '')
  })

  it('grants nothing that another host granted first', async () => {
    const { who, month, index, header } = life
    const id = `${month}-another`
    const text = `### ${who}\n- @typ: Postać\n- @pu_startowe: 20\n- @pu_suma: 21.50\n- @pu_zdobyte: 1.50\n- @pu_nadmiar: 0.00\n`
    const row = {
      ...{ id, month, at: '2026-12-01T08:00:00Z', source: 'batch', sessions: [header] },
      awards: [
        {
          character: who,
          granted: 1.5,
          sumaBefore: 20,
          sumaAfter: 21.5,
          nadmiarBefore: 0,
          nadmiarAfter: 0,
        },
      ],
    }
    push = (real, ...given) => {
      const before = gitIn(bare, 'show', `main:${ledger}`)
      othersWrite({ [index]: text, [ledger]: `${before}\n${JSON.stringify(row)}\n` })
      return real(...given)
    }
    const { status, json } = await award()
    deepEqual([status, json['Applied'], json['Awards'], json['SkippedAlreadyCounted']], [200, false, [], 1])
    deepEqual(
      rows(bare, 'main').map(one => one['id']),
      [id],
    )
    await node.host.releaseNotices(true)
    deepEqual(noticed(), [])
  })

  it('gives up after six races, with nothing written', async () => {
    push = (real, ...given) => {
      const faster = gitIn(bare, 'commit-tree', 'main^{tree}', '-p', 'main', '-m', `other ${pushes}`)
      gitIn(bare, 'update-ref', 'refs/heads/main', faster)
      return real(...given)
    }
    const { status, json } = await award()
    deepEqual([status, json['error'], json['reason'], pushes], [503, 'NotPublished', 'behind', 6])
    deepEqual([hasRow(node.repository.path), hasRow(bare)], [false, false])
  })

  it('is found again where the answer to its push was lost', async () => {
    push = async (real, ...given) => {
      await real(...given)
      return { _tag: 'Unknown', detail: 'The push was not answered in time.' }
    }
    const { status, json, commit } = await award()
    deepEqual([status, json['Applied'], pushes], [200, true, 1])
    deepEqual([gitIn(bare, 'rev-parse', 'main'), node.repository.head()], [commit, commit])
    equal(rows(bare, 'main').length, 1)
    equal((await award()).json['Applied'], false)
    await node.host.releaseNotices(true)
    deepEqual(noticed(), ['refused'])
    deepEqual(await audited(), [commit])
  })

  it('has one audit line where the remote was away behind a push and the next converge finds it', async () => {
    push = async (real, ...given) => {
      await real(...given)
      renameSync(bare, `${bare}.away`)
      return { _tag: 'Unknown', detail: 'The push was not answered in time.' }
    }
    const { status, json } = await award()
    deepEqual([status, json['reason']], [503, 'unknown'])
    renameSync(`${bare}.away`, bare)
    equal((await node.client.ask('/sync', { method: 'POST', body: '{}' })).status, 200)
    deepEqual(await audited(), [gitIn(bare, 'rev-parse', 'main')])
    await node.host.releaseNotices(true)
    equal((await audited()).length, 1)
  })

  it('is answered as what it did where a person moved the branch here behind its push', async () => {
    push = async (real, ...given) => {
      const pushed = await real(...given)
      if (pushes === 1) {
        const { git } = node.repository
        const beside = git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'beside the lock of the index')
        git('update-ref', 'refs/heads/main', beside)
      }
      return pushed
    }
    const { status, json, commit } = await award()
    deepEqual([status, json['Applied'], pushes], [200, true, 1])
    match(gitIn(bare, 'log', '-1', '--format=%B', commit), /^Svc-Route: POST \/workflows\/award-pu$/m)
    equal(gitIn(bare, 'rev-parse', 'main'), node.repository.head())
    equal(rows(bare, 'main').length, 1)
  })

  it('is sent again where its push was lost on the way', async () => {
    push = (real, ...given) =>
      pushes === 1 ? Promise.resolve({ _tag: 'Unknown', detail: 'no answer' }) : real(...given)
    const { status, json } = await award()
    deepEqual([status, json['Applied'], pushes], [200, true, 2])
    equal(rows(bare, 'main').length, 1)
  })

  it('writes nothing while the remote is away, and happens when it is back', async () => {
    renameSync(bare, `${bare}.away`)
    const away = await award()
    deepEqual(
      [away.status, away.json['error'], away.json['reason'], pushes],
      [503, 'NotPublished', 'unreachable', 0],
    )
    ok(!hasRow(node.repository.path))
    renameSync(`${bare}.away`, bare)
    equal((await award()).json['Applied'], true)
  })

  it('takes the earlier writes of the host with it, and keeps those beside it', async () => {
    const patch = (value: string) =>
      node.client.ask('/entities/Orrin', { method: 'PATCH', body: JSON.stringify({ tag: '@info', value }) })
    equal((await patch('przed')).status, 200)
    const [awarded, ...beside] = await Promise.all([award(), patch('obok 1'), patch('obok 2')])
    deepEqual([awarded.status, ...beside.map(reply => reply.status)], [200, 200, 200])
    const text = node.repository.git('show', 'HEAD:encje/indeks.md')
    for (const value of ['przed', 'obok 1', 'obok 2']) ok(text.includes(value), value)
    ok(gitIn(bare, 'show', 'main:encje/indeks.md').includes('przed'))
    for (const repo of [node.repository.path, bare])
      ok(gitIn(repo, 'show', `main:${life.index}`).includes('@pu_suma: 21.50'))
  })

  it('lands as any write does where there is no remote', async () => {
    node.repository.git('remote', 'remove', 'origin')
    const { status, json } = await award()
    deepEqual([status, json['Applied'], pushes], [200, true, 0])
    ok(hasRow(node.repository.path))
  })
})
