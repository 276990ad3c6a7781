import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type Repository, repositoryOf, temporaryFolder } from '#test/support/repository.js'
import { checkoutHolder, type Fence, takeCheckoutFences } from './fence.js'

describe('the fences of a checkout', () => {
  let repository: Repository
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => {
    repository = repositoryOf({ 'a.md': 'a' })
    folder = temporaryFolder()
  })
  afterEach(() => {
    repository.dispose()
    folder.dispose()
  })

  const stateOf = (repo: string): string => join(repo, '.svc/state')
  const take = (repo: string, state = stateOf(repo)) => takeCheckoutFences(repo, state, 'pid 1 kronika serve')
  const fenceOf = (taken: ReturnType<typeof take>): Fence => {
    if (isLeft(taken)) throw new Error(JSON.stringify(taken.left))
    return taken.right
  }

  it('hold also once the state area is removed, and make none for the next process', () => {
    const fence = fenceOf(take(repository.path))
    rmSync(stateOf(repository.path), { recursive: true })
    deepEqual(take(repository.path), { _tag: 'Left', left: { holder: 'pid 1 kronika serve' } })
    equal(checkoutHolder(repository.path, stateOf(repository.path)), 'pid 1 kronika serve')
    equal(existsSync(stateOf(repository.path)), false)
    fence.release()
    equal(checkoutHolder(repository.path, stateOf(repository.path)), null)
    fenceOf(take(repository.path)).release()
  })

  it('are one for each linked worktree', () => {
    const linked = join(folder.path, 'linked')
    repository.git('worktree', 'add', '-q', linked)
    const [one, other] = [fenceOf(take(repository.path)), fenceOf(take(linked))]
    rmSync(stateOf(linked), { recursive: true })
    ok(isLeft(take(linked)))
    one.release()
    other.release()
  })

  it('are all released where one of them cannot be taken', () => {
    const state = join(folder.path, 'state')
    const fence = fenceOf(take(repository.path, state))
    rmSync(join(repository.path, '.git/kronika'), { recursive: true })
    rmSync(stateOf(repository.path), { recursive: true })
    ok(isLeft(take(repository.path, state)), 'the state area is held')
    fence.release()
    fenceOf(take(repository.path, state)).release()
    rmSync(state, { recursive: true })
    writeFileSync(state, '')
    match(JSON.stringify(take(repository.path, state)), /"cause":"state_not_writable"/)
    equal(checkoutHolder(repository.path, stateOf(repository.path)), null)
  })

  it('are free after the process that held them was killed', () => {
    const holder = `import { takeCheckoutFences } from '#src/adapters/state/fence.js'
      takeCheckoutFences(process.argv[1] ?? '', process.argv[2] ?? '', 'the dead'); process.kill(process.pid, 'SIGKILL')`
    const args = ['--conditions=source', '--import', 'tsx', '--input-type=module', '-e', holder]
    const { signal } = spawnSync(process.execPath, [...args, repository.path, stateOf(repository.path)])
    equal(signal, 'SIGKILL')
    ok(existsSync(join(repository.path, '.git/kronika/fence.db')))
    fenceOf(take(repository.path)).release()
  })

  it('of a plain directory lie in its state area alone', () => {
    mkdirSync(join(folder.path, 'plain'))
    fenceOf(take(join(folder.path, 'plain'))).release()
    equal(existsSync(join(folder.path, 'plain/.git')), false)
  })
})
