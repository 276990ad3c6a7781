import { deepEqual, equal } from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type Repository, repositoryOf } from '#test/support/repository.js'
import { checkoutState } from './checkout-state.js'

describe('the state of a checkout', () => {
  let repository: Repository
  beforeEach(() => {
    repository = repositoryOf({ 'encje/indeks.md': '### Orrin\n' })
  })
  afterEach(() => repository.dispose())
  const state = () => checkoutState(repository.path, 'origin')

  it('of a repository that stands alone', async () => {
    deepEqual(await state(), {
      branch: 'main',
      remote: null,
      pushRemote: null,
      unpublished: null,
      parked: [],
    })
  })

  it('of a repository without a commit', async () => {
    const empty = repositoryOf({})
    empty.git('remote', 'add', 'origin', '/srv/lore dwa.git')
    deepEqual(await checkoutState(empty.path, 'origin'), {
      branch: 'main',
      remote: '/srv/lore dwa.git',
      pushRemote: '/srv/lore dwa.git',
      unpublished: null,
      parked: [],
    })
    empty.dispose()
  })

  it('counts commits since what was fetched, lists what is parked, and shows no password', async () => {
    const { git, commit } = repository
    git('remote', 'add', 'origin', 'https://robot:tajne@example.org/lore.git')
    git('update-ref', 'refs/svc/fetched', 'HEAD')
    commit({ 'a.md': 'a' })
    commit({ 'b.md': 'b' })
    const body = 'Other:\n- mapa.txt (changed)\n- b.md (both)\n\nSvc-Actor: machine\n'
    git('commit', '-q', '--amend', '-m', `sync: this host's word\n\n${body}`)
    const last = git('rev-parse', 'HEAD').trim()
    git('update-ref', 'refs/svc/parked/%c5%81a/1', last)
    deepEqual(await state(), {
      branch: 'main',
      remote: 'https://[redacted]@example.org/lore.git',
      pushRemote: 'https://[redacted]@example.org/lore.git',
      unpublished: 2,
      parked: [
        { ref: 'refs/svc/parked/%c5%81a/1', commit: last, conflicts: ['mapa.txt (changed)', 'b.md (both)'] },
      ],
    })
  })

  it('has the address to which a push goes, by pushurl and by pushInsteadOf', async () => {
    repository.git('remote', 'add', 'origin', '/srv/lore.git')
    repository.git('config', 'url./mnt/.pushInsteadOf', '/srv/')
    equal((await state()).pushRemote, '/mnt/lore.git')
    repository.git('config', 'remote.origin.pushurl', 'https://u:tajne@example.org/x.git')
    const { remote, pushRemote } = await state()
    deepEqual([remote, pushRemote], ['/srv/lore.git', 'https://[redacted]@example.org/x.git'])
  })

  it('sees that HEAD is on no branch, and does not count what is unpublished then', async () => {
    repository.git('update-ref', 'refs/svc/fetched', 'HEAD')
    equal((await state()).unpublished, 0)
    repository.git('checkout', '-q', '--detach')
    const { branch, unpublished } = await state()
    deepEqual([branch, unpublished], [null, null])
  })

  it('runs nothing that the configuration of the checkout names, and heeds no variable of the caller', async () => {
    const ran = join(repository.path, 'ran')
    for (const name of ['core.fsmonitor', 'core.pager', 'core.sshCommand', 'filter.x.clean', 'alias.remote'])
      repository.git('config', name, `!touch ${ran}`)
    repository.git('remote', 'add', 'origin', `ext::sh -c "touch ${ran}"`)
    const before = process.env['GIT_DIR']
    process.env['GIT_DIR'] = '/nonexistent'
    try {
      equal((await state()).branch, 'main')
    } finally {
      if (before === undefined) Reflect.deleteProperty(process.env, 'GIT_DIR')
      else process.env['GIT_DIR'] = before
    }
    equal(existsSync(ran), false)
  })
})
