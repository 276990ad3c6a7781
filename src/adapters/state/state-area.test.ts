import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { gitIn, type Repository, repositoryOf } from '#test/support/repository.js'
import { takeFence } from './fence.js'
import { excludeState, findDistrust, machineToken } from './state-area.js'

describe('the state area', () => {
  let repository: Repository
  const state = () => join(repository.path, '.svc/state')
  beforeEach(() => {
    repository = repositoryOf({ 'a.md': 'a' })
  })
  afterEach(() => repository.dispose())

  it('is excluded from git once, before anything lies in it', () => {
    excludeState(repository.path, state())
    excludeState(repository.path, state())
    const lines = readFileSync(join(repository.path, '.git/info/exclude'), 'utf8').split('\n')
    equal(lines.filter(line => line === '/.svc/state/').length, 1)
    takeFence(state(), 'test')
    equal(repository.git('status', '--porcelain'), '')
  })

  it('is excluded also where it is another folder of the work tree, whatever its name', () => {
    for (const name of ['var/state', 'stan hosta', '#stan', '!stan', 'a*[b]?', 'stan\\x', 'pusty ']) {
      const area = join(repository.path, name)
      equal(findDistrust(repository.path, area, null), null)
      excludeState(repository.path, area)
      excludeState(repository.path, area)
      const fence = takeFence(area, 'test')
      ok('release' in fence)
      fence.release()
      machineToken(area)
      equal(repository.git('status', '--porcelain'), '', name)
      rmSync(join(repository.path, name), { recursive: true })
    }
    const lines = readFileSync(join(repository.path, '.git/info/exclude'), 'utf8').split('\n')
    equal(lines.filter(line => line === '/var/state/').length, 1)
    // The pattern of one name matches no other.
    mkdirSync(join(repository.path, 'axb'))
    writeFileSync(join(repository.path, 'axb/c.md'), '')
    match(repository.git('status', '--porcelain'), /axb/)
  })

  it('is excluded in a linked worktree, whose git folder is shared', () => {
    const linked = `${repository.path}-linked`
    repository.git('worktree', 'add', '-q', linked)
    const area = join(linked, '.svc/state')
    excludeState(linked, area)
    takeFence(area, 'test')
    equal(gitIn(linked, 'status', '--porcelain'), '')
    rmSync(linked, { recursive: true })
  })

  it('leaves git alone where it lies outside the work tree', () => {
    const before = readFileSync(join(repository.path, '.git/info/exclude'), 'utf8')
    for (const area of [`${repository.path}-state`, join(repository.path, '.git/state')])
      excludeState(repository.path, area)
    equal(readFileSync(join(repository.path, '.git/info/exclude'), 'utf8'), before)
  })

  it('is never the checkout itself, its git folder, or a folder that git cannot be told to leave out', () => {
    const { path } = repository
    match(String(findDistrust(path, path, null)), /is the checkout itself; name a folder of its own/)
    match(String(findDistrust(path, join(path, '.git'), null)), /is the git folder itself; name a folder/)
    match(String(findDistrust(path, join(path, 'a\nb'), null)), /has a line break, so git cannot exclude/)
  })

  it('keeps one machine token, readable by its owner alone', () => {
    takeFence(state(), 'test')
    const token = machineToken(state())
    equal(machineToken(state()), token)
    equal(statSync(join(state(), 'machine.token')).mode & 0o777, 0o600)
    match(token, /^[A-Za-z0-9_-]{43}$/)
  })

  it('has a fence that its owner alone can read, also where an earlier build made it for all', () => {
    const modes = () =>
      ['fence.db', 'fence.holder'].map(name => (statSync(join(state(), name)).mode & 0o777).toString(8))
    const release = (fence: ReturnType<typeof takeFence>): void => {
      if ('release' in fence) fence.release()
    }
    release(takeFence(state(), 'test'))
    deepEqual(modes(), ['600', '600'])
    for (const name of ['fence.db', 'fence.holder']) chmodSync(join(state(), name), 0o644)
    const fence = takeFence(state(), 'test')
    deepEqual(modes(), ['600', '600'])
    equal('holder' in takeFence(state(), 'another'), true)
    release(fence)
  })

  it('is not trusted with a link anywhere below it', () => {
    for (const name of [
      'machine.token',
      'fence.holder',
      'fence.db',
      'streams',
      'events/0.jsonl',
      'chores/a',
    ]) {
      const path = join(state(), name)
      mkdirSync(join(path, '..'), { recursive: true })
      symlinkSync(repository.path, path)
      equal(
        findDistrust(repository.path, state(), null),
        `${path} is a symbolic link, which the path of a state area may not have; name the real folder with --state`,
      )
      rmSync(path)
    }
    equal(findDistrust(repository.path, state(), null), null)
  })

  it('is trusted with the draft of a link that a crash left', () => {
    mkdirSync(join(state(), 'checkout'), { recursive: true })
    symlinkSync('../Opisy/Wit.md', join(state(), 'checkout/0a1b2c3d4e5f6071'))
    equal(findDistrust(repository.path, state(), null), null)
  })

  it('is held by one process at a time, and names it', () => {
    const first = takeFence(state(), 'pid 1 kronika serve')
    const second = takeFence(state(), 'pid 2 kronika serve')
    ok('release' in first)
    ok('holder' in second)
    equal(second.holder, 'pid 1 kronika serve')
    first.release()
    const third = takeFence(state(), 'pid 3')
    ok('release' in third)
    third.release()
  })

  it('is free again when its holder was killed', () => {
    const holder = `import { takeFence } from '#src/adapters/state/fence.js'
      takeFence(process.argv[1] ?? '', 'the dead'); process.kill(process.pid, 'SIGKILL')`
    const args = ['--conditions=source', '--import', 'tsx', '--input-type=module', '-e', holder, state()]
    const died = spawnSync(process.execPath, args, { encoding: 'utf8' })
    equal(died.signal, 'SIGKILL', died.stderr)
    const taken = takeFence(state(), 'the living')
    ok('release' in taken, died.stderr)
    taken.release()
  })
})
