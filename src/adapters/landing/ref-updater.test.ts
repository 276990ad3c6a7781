import { equal } from 'node:assert/strict'
import { realpathSync, rmSync } from 'node:fs'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { CommitId } from '#protocol/atoms.js'
import { childrenIn } from '#test/support/children.js'
import { commitOf } from '#test/support/contract-world.js'
import { type Repository, repositoryOf, writeFiles } from '#test/support/repository.js'
import { moveReason, openRefUpdater, type RefUpdater } from './refs.js'

describe('a move of the branch', () => {
  let repository: Repository
  let refs: RefUpdater
  let from: CommitId
  let to: CommitId
  const head = (): string => repository.head()
  const movers = (): ReadonlyArray<number> =>
    childrenIn(realpathSync(repository.path))
      .filter(({ args }) => args.includes('update-ref'))
      .map(({ pid }) => pid)
  beforeEach(() => {
    repository = repositoryOf({ 'encje/indeks.md': '### Byt\n- @typ: NPC\n' })
    from = commitOf(head())
    writeFiles(repository.path, { 'encje/indeks.md': '### Byt\n- @typ: NPC\n- @info: dalej\n' })
    repository.git('commit', '--quiet', '--all', '-m', 'dalej')
    to = commitOf(head())
    repository.git('reset', '--quiet', '--hard', from)
    refs = openRefUpdater(repository.path)
  })
  afterEach(() => {
    refs.close()
    repository.dispose()
  })

  it('is made, with who made it in the reflog', async () => {
    equal(isRight(await refs.move(from, to)), true)
    equal(head(), to)
    equal(repository.git('reflog', '-1', '--format=%gs', 'main'), moveReason)
  })

  it('and the next are made by one git, on whatever branch is checked out by then', async () => {
    equal(isRight(await refs.move(from, to)), true)
    const [first] = movers()
    equal(isRight(await refs.move(to, from)), true)
    repository.git('switch', '--quiet', '--create', 'other')
    equal(isRight(await refs.move(from, to)), true)
    equal(repository.git('rev-parse', 'other'), to)
    equal(repository.git('rev-parse', 'main'), from)
    equal(movers().length, 1)
    equal(movers()[0], first)
  })

  it('is made where the git that waited for it was killed', async () => {
    equal(isRight(await refs.move(from, to)), true)
    for (const pid of movers()) process.kill(pid, 'SIGKILL')
    let swept = 0
    const sweep = () => Promise.resolve(void (swept += 1))
    equal(isRight(await refs.move(to, from, sweep)), true)
    equal(head(), from)
  })

  it('is told as made where the branch already has the commit, and else as lost', async () => {
    repository.git('update-ref', 'refs/heads/main', to)
    equal(isRight(await refs.move(from, to)), true)
    repository.git('update-ref', 'refs/heads/main', from)
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'obok')
    const answer = await refs.move(from, to)
    equal(isLeft(answer) && answer.left._tag, 'Moved')
  })

  it('is refused where somebody holds HEAD, and made when they let go', async () => {
    writeFiles(repository.path, { '.git/HEAD.lock': '' })
    const answer = await refs.move(from, to)
    equal(isLeft(answer) && answer.left._tag, 'Locked')
    equal(head(), from)
    rmSync(`${repository.path}/.git/HEAD.lock`)
    equal(isRight(await refs.move(from, to)), true)
  })

  it('leaves no git behind when it is closed', async () => {
    equal(isRight(await refs.move(from, to)), true)
    refs.close()
    for (let tries = 0; movers().length > 0 && tries < 100; tries += 1)
      await new Promise(resolve => setTimeout(resolve, 20))
    equal(movers().length, 0)
  })
})
