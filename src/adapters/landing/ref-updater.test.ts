import { equal } from 'node:assert/strict'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { CommitId } from '#protocol/atoms/commit.js'
import { commitOf } from '#test/support/contract-world.js'
import { type Repository, repositoryOf, writeFiles } from '#test/support/repository.js'
import { openHeadMove } from './ref-updater.js'

describe('a move of the branch', () => {
  let repository: Repository
  let from: CommitId
  let to: CommitId
  const head = (): string => repository.git('rev-parse', 'HEAD')
  beforeEach(() => {
    repository = repositoryOf({ 'encje/indeks.md': '### Byt\n- @typ: NPC\n' })
    from = commitOf(head())
    writeFiles(repository.path, { 'encje/indeks.md': '### Byt\n- @typ: NPC\n- @info: dalej\n' })
    repository.git('commit', '--quiet', '--all', '-m', 'dalej')
    to = commitOf(head())
    repository.git('reset', '--quiet', '--hard', from)
  })
  afterEach(() => repository.dispose())

  it('is made when it is told, with its reason in the reflog', async () => {
    const move = openHeadMove(repository.path, 'svc: a reason')
    equal(head(), from)
    equal(isRight(await move.move(from, to)), true)
    move.cancel()
    equal(head(), to)
    equal(repository.git('reflog', '-1', '--format=%gs', 'main'), 'svc: a reason')
  })

  it('is none when it is called off, and stays none', async () => {
    const move = openHeadMove(repository.path, 'svc: a reason')
    move.cancel()
    const answer = await move.move(from, to)
    equal(isLeft(answer) && answer.left._tag, 'Failed')
    equal(head(), from)
  })

  it('is told as made where the branch already has the commit, and else as lost', async () => {
    const made = openHeadMove(repository.path, 'svc: a reason')
    repository.git('update-ref', 'refs/heads/main', to)
    equal(isRight(await made.move(from, to)), true)
    const lost = openHeadMove(repository.path, 'svc: a reason')
    repository.git('update-ref', 'refs/heads/main', from)
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'obok')
    const answer = await lost.move(from, to)
    equal(isLeft(answer) && answer.left._tag, 'Moved')
  })

  it('is refused where somebody holds HEAD', async () => {
    const held = openHeadMove(repository.path, 'svc: a reason')
    writeFiles(repository.path, { '.git/HEAD.lock': '' })
    const answer = await held.move(from, to)
    equal(isLeft(answer) && answer.left._tag, 'Locked')
    equal(head(), from)
  })
})
