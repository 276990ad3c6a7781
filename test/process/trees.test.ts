import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type BlobId, type FurtherTree, requirePath, type Tree } from '#protocol/atoms.js'
import type { Refusal } from '#protocol/refusal.js'
import { openGitSource } from '#src/adapters/git/git-source.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { hostWritePort } from '#src/node/gate/gate.js'
import { holdCheckout } from '#src/node/start/checkout.js'
import { holdTrees } from '#src/node/start/trees.js'
import type { TreeSource } from '#src/ports/git.js'
import { treeWriteCommand, type Written } from '#src/writing/command.js'
import { eventually } from '#test/support/daemon.js'
import { nodeFiles, startNode, type TestNode } from '#test/support/node.js'
import { publishPlainly } from '#test/support/plain-git.js'
import {
  cloneOf,
  commitIn,
  gitIn,
  headIn,
  type Repository,
  repositoryOf,
  temporaryFolder,
  writeFiles,
} from '#test/support/repository.js'

/** A clone with a bare remote of its own. */
interface Clone {
  readonly path: string
  readonly bare: string
}

const filesWith = (corpora: Readonly<Record<string, string>>, server: object = {}) => ({
  ...nodeFiles,
  '.svc/config.json': JSON.stringify({ corpora, server: { selfheal_interval_ms: 100, ...server } }),
})

describe('a tree beside the lore', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let node: TestNode | null = null
  /** The trees whose last converge counts as too old. */
  const stale = new Set<FurtherTree>()
  beforeEach(() => {
    folder = temporaryFolder()
  })
  afterEach(async () => {
    await node?.stop()
    node = null
    folder.dispose()
  })

  /** A clone of a bare repository with these files, outside the lore. */
  const treeOf = (
    name: string,
    files: Readonly<Record<string, string>> = { 'README.txt': `${name}\n` },
  ): Clone => {
    const seed: Repository = repositoryOf(files)
    const [path, bare] = [join(folder.path, name), join(folder.path, `${name}.git`)]
    publishPlainly(seed.path, bare)
    seed.dispose()
    cloneOf(bare, path)
    return { path, bare }
  }
  const start = async (corpora: Readonly<Record<string, string>>, server: object = {}): Promise<TestNode> => {
    node = await startNode({
      files: filesWith(corpora, server),
      allowTree: [folder.path],
      amend: ports => ({
        ...ports,
        gate: {
          ...ports.gate,
          trees: new Map(
            [...ports.gate.trees].map(([name, tree]) => [name, { ...tree, isStale: () => stale.has(name) }]),
          ),
        },
      }),
    })
    return node
  }
  /** Writes a new file to a tree through the gate, and returns what the gate answers. */
  const write = (on: TestNode, tree: Tree, path: string, after: string, before: BlobId | null = null) =>
    hostWritePort(on.host)(
      treeWriteCommand('log-fetcher', {
        tree,
        subject: `${tree}: ${path}`,
        files: [{ path: requirePath(path), before, after }],
      }),
    )
  const written = async (...asked: Parameters<typeof write>): Promise<Written> => {
    const outcome = await write(...asked)
    if (isLeft(outcome)) throw new Error(outcome.left.detail)
    return outcome.right
  }
  const refused = async (...asked: Parameters<typeof write>): Promise<Refusal> => {
    const outcome = await write(...asked)
    if (!isLeft(outcome)) throw new Error('written')
    return outcome.left
  }
  const said = (on: TestNode, event: string) =>
    on.records.filter(one => one.event === event).map(({ fields }) => fields)

  it('is written through the one gate, between writes of the lore, and is served with its answer', async () => {
    const [logi, samples] = [treeOf('logi'), treeOf('adnotacje')]
    const on = await start({ logi: logi.path, adnotacje: samples.path })
    const lore = on.repository.head()
    const before = headIn(logi.path)
    const turns: ReadonlyArray<FurtherTree | 'lore'> = ['logi', 'lore', 'adnotacje', 'logi', 'lore', 'logi']
    const answers = await Promise.all(turns.map((tree, at) => written(on, tree, `n${at}.txt`, `${at}\n`)))
    deepEqual(
      answers.map(({ further }) => further?.tree ?? 'lore'),
      turns,
    )
    const count = (path: string, from: string) => gitIn(path, 'rev-list', '--count', `${from}..HEAD`)
    deepEqual([count(logi.path, before), count(on.repository.path, lore)], ['3', '2'])
    equal(readFileSync(join(logi.path, 'n5.txt'), 'utf8'), '5\n')
    equal(gitIn(logi.path, 'status', '--porcelain'), '')
    match(
      gitIn(logi.path, 'log', '-1', '--format=%an %B'),
      /Kronika logi: n\d\.txt[\s\S]+Svc-Route: log-fetcher/u,
    )
    for (const { further, commit } of answers) {
      if (further === undefined) continue
      equal(
        gitIn(further.tree === 'logi' ? logi.path : samples.path, 'cat-file', '-t', further.commit),
        'commit',
      )
      ok(commit !== null && gitIn(on.repository.path, 'cat-file', '-t', commit) === 'commit')
    }
    equal(on.host.snapshot()?.treeHeads.get('logi')?.commit, headIn(logi.path))
    deepEqual(
      said(on, 'wrote')
        .map(({ tree = 'lore' }) => String(tree))
        .sort(),
      [...turns].sort(),
    )
  })

  it('goes to its own remote, and takes what others publish there', async () => {
    const logi = treeOf('logi')
    const on = await start({ logi: logi.path }, { publish_mode: 'push' })
    await written(on, 'logi', 'ours.txt', 'ours\n')
    await eventually(
      () => Promise.resolve(headIn(logi.bare, 'refs/heads/main')),
      head => head === headIn(logi.path),
    )
    const status = await on.client.ask('/sync')
    match(status.text, /"trees":\[\{"tree":"logi","enabled":true,"stale":false/u)
    const other = join(folder.path, 'other')
    cloneOf(logi.bare, other)
    writeFiles(other, { 'theirs.txt': 'theirs\n' })
    commitIn(other, 'theirs')
    gitIn(other, 'push', '-q', 'origin', 'HEAD:main')
    await on.client.ask('/sync', { method: 'POST', body: '{}' })
    await eventually(
      () => Promise.resolve(existsSync(join(logi.path, 'theirs.txt'))),
      isThere => isThere,
    )
  })

  it('that is a plain folder, or none, is not written', async () => {
    const on = await start({ adnotacje: 'adnotacje' })
    for (const tree of ['adnotacje', 'logi'] as const)
      equal((await refused(on, tree, 'a.txt', 'a\n'))._tag, 'NoRepository')
    await written(on, 'lore', 'a.txt', 'a\n')
  })

  it('that is gone closes its own rows, and no others', async () => {
    const [logi, samples] = [treeOf('logi'), treeOf('adnotacje')]
    const on = await start({ logi: logi.path, adnotacje: samples.path })
    renameSync(logi.path, `${logi.path}.away`)
    const [gone, ...others] = await Promise.all([
      write(on, 'logi', 'a.txt', 'a\n'),
      write(on, 'lore', 'a.txt', 'a\n'),
      write(on, 'adnotacje', 'a.txt', 'a\n'),
    ])
    equal(isLeft(gone) && gone.left._tag, 'SnapshotStale')
    deepEqual(others.map(isLeft), [false, false])
    equal(on.host.mode.get().mode, 'ReadWrite')
    renameSync(`${logi.path}.away`, logi.path)
    await on.host.look()
    await written(on, 'logi', 'a.txt', 'a\n')
  })

  it('whose last converge is too old closes its own rows, and a commit in it costs no other row its 304', async () => {
    const [logi, samples] = [treeOf('logi'), treeOf('adnotacje', { 'lematy/lore/x.json': '{}\n' })]
    const on = await start({ logi: logi.path, adnotacje: samples.path })
    const { etag } = (await on.client.ask('/entities')).headers
    stale.add('logi')
    equal((await refused(on, 'logi', 'a.txt', 'a\n'))._tag, 'SyncStale')
    stale.clear()
    await written(on, 'adnotacje', 'samples/kronika/x.jsonl', '{"id":"x"}\n')
    await written(on, 'logi', 'a.txt', 'a\n')
    const headers = { 'If-None-Match': String(etag) }
    equal((await on.client.ask('/entities', { headers })).status, 304)
    writeFiles(samples.path, { 'lematy/lore/x.json': '{ }\n' })
    commitIn(samples.path, 'lemmas')
    await on.host.look()
    equal((await on.client.ask('/entities', { headers })).status, 200)
  })

  it('keeps a person’s work, and says so', async () => {
    const logi = treeOf('logi')
    const on = await start({ logi: logi.path })
    writeFileSync(join(logi.path, 'a.txt'), 'a person\n')
    equal((await refused(on, 'logi', 'a.txt', 'a\n'))._tag, 'WorkTreeDirty')
    equal(readFileSync(join(logi.path, 'a.txt'), 'utf8'), 'a person\n')
  })

  it('is one process’s to write: a second one reads it, with a finding', async () => {
    const logi = treeOf('logi')
    const hold = async (lore: string) => {
      const held = await holdCheckout(lore, undefined, 'test')
      if (isLeft(held)) throw new Error(held.left.reason)
      const source = openGitSource(logi.path)
      const none: ReadonlyArray<Finding> = []
      const load = { bootFindings: none, trees: new Map<FurtherTree, TreeSource>([['logi', source]]) }
      const { trees, load: found, release } = await holdTrees(held.right, load, 'test')
      const end = async (): Promise<void> => {
        release()
        await source.close()
        await held.right.release()
      }
      return { names: [...trees.keys()], findings: found.bootFindings, end }
    }
    const lores = [repositoryOf(nodeFiles), repositoryOf(nodeFiles)] as const
    const first = await hold(lores[0].path)
    const second = await hold(lores[1].path)
    await first.end()
    await second.end()
    const third = await hold(lores[1].path)
    await third.end()
    for (const lore of lores) lore.dispose()
    deepEqual([first.names, second.names, third.names], [['logi'], [], ['logi']])
    deepEqual([first.findings, third.findings], [[], []])
    deepEqual(
      second.findings.map(({ kind, subject }) => [kind, subject]),
      [['CorpusUnwritten', 'corpora.logi']],
    )
    match(String(second.findings[0]?.reason), /trzyma inny proces: process \d+/u)
    match(readFileSync(join(logi.path, '.git/info/exclude'), 'utf8'), /^\/\.svc\/state\/$/mu)
    equal(gitIn(logi.path, 'status', '--porcelain'), '')
  })

  it('that is named twice, or is the lore itself, is written once', async () => {
    const logi = treeOf('logi')
    const on = await start({ logi: logi.path, adnotacje: logi.path, probki: '.' })
    deepEqual([...on.host.trees.keys()], ['logi'])
    const findings = on.host.snapshot()?.findings.filter(({ kind }) => kind === 'CorpusUnwritten') ?? []
    deepEqual(
      findings.map(({ subject }) => subject),
      ['corpora.adnotacje', 'corpora.probki'],
    )
    equal((await refused(on, 'probki', 'a.txt', 'a\n'))._tag, 'NoRepository')
  })
})
