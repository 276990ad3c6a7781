import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { CommitId } from '#protocol/atoms.js'
import type { PastCommit, PastWanted } from '#src/ports/git.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'
import { type OpenHistory, openGitHistory } from './git-history.js'

const commitId = (text: string): CommitId => {
  const id = CommitId.decode(text)
  if (isLeft(id)) throw new Error(text)
  return id.right
}

describe('the history of a repository', () => {
  let repository: Repository
  let history: OpenHistory

  beforeEach(() => {
    repository = repositoryOf({ 'encje/indeks.md': 'a\nb\nc\nd\n', 'Gracze/ż ó.md': 'x\n' })
    history = openGitHistory({
      repo: repository.path,
      has: () => Promise.resolve(true),
      monotonicMs: () => performance.now(),
      bytesMax: 100,
    })
  })

  afterEach(() => {
    history.close()
    repository.dispose()
  })

  const read = async (wanted: Partial<PastWanted> = {}): Promise<ReadonlyArray<PastCommit>> => {
    const head = commitId(repository.head())
    const walk = await history.walk({
      head,
      skip: 0,
      max: 10,
      fromMs: null,
      toMs: null,
      path: null,
      ...wanted,
    })
    if (walk === null) throw new Error('no walk')
    const commits: Array<PastCommit> = []
    try {
      for await (const commit of walk.commits) commits.push(commit)
    } finally {
      walk.end()
    }
    return commits
  }

  const paths = ({ files }: PastCommit) =>
    files.map(({ before, after }) => [before.map(one => one?.path ?? null), after?.path ?? null])

  it('tells who made what, newest first, the first commit too', async () => {
    const fromMs = Math.floor(Date.now() / 1000) * 1000
    repository.commit(
      { 'encje/indeks.md': 'a\nb\nc\ne\n' },
      'entities: e\n\nSvc-Intent: i-1\nSvc-Actor: Brzoza\nSvc-Route: PATCH /entities/{name}\n',
    )
    const [last, first] = await read()
    deepEqual(
      [last?.author, last?.subject, last?.trailers, first?.trailers.actor],
      ['Test', 'entities: e', { actor: 'Brzoza', route: 'PATCH /entities/{name}', intent: 'i-1' }, null],
    )
    const committedMs = last?.committedMs ?? 0
    ok(committedMs >= fromMs && committedMs <= Date.now(), `${committedMs}`)
    if (last === undefined || first === undefined) throw new Error('two commits')
    deepEqual(paths(last), [[['encje/indeks.md'], 'encje/indeks.md']])
    deepEqual(paths(first), [
      [[null], 'Gracze/ż ó.md'],
      [[null], 'encje/indeks.md'],
    ])
    const [file] = last.files
    const [before, after] = [file?.before[0]?.blob, file?.after?.blob]
    if (!before || !after) throw new Error('two versions')
    deepEqual([await history.text(before), await history.text(after)], ['a\nb\nc\nd\n', 'a\nb\nc\ne\n'])
  })

  it('follows moves, tells what went, and of a merge what no parent has', async () => {
    repository.git('mv', 'encje/indeks.md', 'encje/inny.md')
    repository.git('rm', '-q', 'Gracze/ż ó.md')
    repository.git('commit', '-q', '-m', 'moved')
    const [moved] = await read()
    deepEqual(moved === undefined ? [] : paths(moved), [
      [['Gracze/ż ó.md'], null],
      [['encje/indeks.md'], 'encje/inny.md'],
    ])
    repository.git('checkout', '-q', '-b', 'side', 'HEAD~1')
    repository.commit({ 'b.md': 'side\n' }, 'side')
    repository.git('checkout', '-q', 'main')
    repository.git('merge', '-q', '--no-ff', '-m', 'merged', 'side')
    const [clean] = await read()
    deepEqual(clean === undefined ? null : [clean.subject, paths(clean)], ['merged', []])
    repository.commit({ 'b.md': 'edited in the merge\n' })
    repository.git('commit', '-q', '--amend', '-m', 'x')
    repository.git('reset', '-q', '--soft', 'HEAD~1')
    repository.git('commit', '-q', '--amend', '-m', 'merged')
    const [edited] = await read()
    deepEqual(edited === undefined ? null : paths(edited), [[[null, 'b.md'], 'b.md']])
  })

  it('goes by commit date, path and place', async () => {
    for (const nth of [1, 2, 3]) repository.commit({ [`${nth}.md`]: `${nth}\n` }, `nth ${nth}`)
    const subjects = async (wanted: Partial<PastWanted>) => (await read(wanted)).map(one => one.subject)
    deepEqual(await subjects({ skip: 1, max: 2 }), ['nth 2', 'nth 1'])
    deepEqual(await subjects({ path: '2.md' }), ['nth 2'])
    deepEqual(await subjects({ path: '*.md' }), [])
    deepEqual(await subjects({ path: ':(top)2.md' }), [])
    deepEqual(await subjects({ path: '../x' }).catch(() => []), [])
    deepEqual(await subjects({ toMs: Date.now() - 3_600_000 }), [])
    equal((await subjects({ fromMs: Date.now() - 3_600_000 })).length, 4)
    deepEqual(await subjects({ fromMs: Date.now() + 3_600_000 }), [])
  })

  it('is read without hooks of configuration: replaced objects and odd settings change nothing', async () => {
    repository.commit({ 'a.md': '1\n' }, 'true')
    const other = repository.git('commit-tree', '-m', 'forged', 'HEAD^{tree}')
    repository.git('replace', repository.head(), other)
    for (const setting of [
      'log.showRoot=false',
      'diff.renames=false',
      'diff.noprefix=true',
      'log.showSignature=true',
    ])
      repository.git('config', ...(setting.split('=') as [string, string]))
    deepEqual(
      (await read()).map(one => [one.subject, one.files.length]),
      [
        ['true', 1],
        ['test', 2],
      ],
    )
  })

  it('is strange and stays readable: a forged signature, a date beyond all calendars, a subject of nothing', async () => {
    const tree = repository.git('rev-parse', 'HEAD^{tree}')
    const raw = `tree ${tree}\nauthor  <> 99999999999999 +0000\ncommitter X\n\n`
    const id = Buffer.from(raw)
    const { execFileSync } = await import('node:child_process')
    const commit = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--literally', '--stdin'], {
      cwd: repository.path,
      input: id,
      encoding: 'utf8',
    }).trim()
    const [strange] = await read({ head: commitId(commit) })
    deepEqual([strange?.author, strange?.subject, strange?.committedMs], ['', '', 0])
    ok(!Number.isNaN(new Date(strange?.authoredMs ?? Number.NaN).getTime()))
  })

  it('does not read what is large, and says so when git cannot', async () => {
    repository.commit({ 'big.md': 'x'.repeat(101) })
    const blob = (await read())[0]?.files[0]?.after?.blob
    if (!blob) throw new Error('a blob')
    equal(await history.text(blob), null)
    await rejects(read({ head: commitId('0'.repeat(40)) }))
  })

  it('takes two walks at once, lets eight wait and sends the next away', async () => {
    const head = commitId(repository.head())
    const wanted = { head, skip: 0, max: 1, fromMs: null, toMs: null, path: null }
    const [one, two] = [await history.walk(wanted), await history.walk(wanted)]
    const waiting = Array.from({ length: 8 }, () => history.walk(wanted))
    equal(await history.walk(wanted), null)
    one?.end()
    one?.end()
    const third = await waiting[0]
    ok(third !== null && third !== undefined)
    two?.end()
    third.end()
    for (const next of waiting.slice(1)) (await next)?.end()
    ok((await history.walk(wanted)) !== null)
  })
})
