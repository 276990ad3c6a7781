import { equal, ok } from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'mocha'
import { checkoutState } from '#src/adapters/git/checkout-state.js'
import { redactAddress, redactAddressIn } from '#src/domain/redaction/scrub.js'
import { repositoryOf } from '#test/support/repository.js'
import { gitRemote } from './remote.js'

const shown = {
  '/srv/lore.git': '/srv/lore.git',
  '/srv/lore dwa@dom.git': '/srv/lore dwa@dom.git',
  'file:///srv/lore.git': 'file:///srv/lore.git',
  'https://host:8443/lore.git': 'https://host:8443/lore.git',
  'git@host:lore.git': 'git@host:lore.git',
  'ssh://git@host:2222/lore.git': 'ssh://[redacted]@host:2222/lore.git',
  'https://s3cret@host/x': 'https://[redacted]@host/x',
  'https://u:s3cret@host/x': 'https://[redacted]@host/x',
  'https://us er:s3cret@host/x': 'https://[redacted]@host/x',
  'https://u:s3cret/Pw@host/x': 'https://[redacted]@host/x',
  'https://u/s3cret@host/x': 'https://[redacted]@host/x',
  'https://u:s3cret@odd@host/x': 'https://[redacted]@host/x',
  'https://host/x.git?private_token=s3cret': 'https://host/x.git?[redacted]',
  'https://host/x.git?private_token=s3cret@odd': 'https://[redacted]',
  'https://u:s3c?ret@host/x': 'https://[redacted]',
  'user:s3cret@host:x.git': '[redacted]@host:x.git',
  'us er:s3cret/Pw@host:x.git': '[redacted]@host:x.git',
} as const

const secret = /s3cret|s3c\?ret/

describe('ADR 1023 the address of a remote', () => {
  for (const [address, said] of Object.entries(shown))
    it(`is shown as ${said}: ${address}`, () => {
      equal(redactAddress(address), said)
      const told = redactAddressIn(address)(`fatal: unable to access '${address}/': no\n${address}: denied`)
      equal(secret.test(told), false, told)
      ok(told.startsWith('fatal: unable to access '))
    })

  it('leaves nothing of a user in what git says of the host alone', () => {
    const told = redactAddressIn('us er:s3cret@host:x.git')(
      'us er:s3cret@host: Permission denied (publickey).',
    )
    equal(told, '[redacted]@host: Permission denied (publickey).')
  })

  for (const address of [
    'https://127.0.0.1:9/x.git?private_token=s3cret',
    'https://us er:s3cret@127.0.0.1:9/x',
    'https://u:s3cret/Pw@127.0.0.1:9/x',
    'user:s3cret@127.0.0.1:x.git',
    'http://u:s3cret/Pw@127.0.0.1:9/x',
  ])
    it(`is told without credentials by doctor, by GET /sync and by a converge: ${address}`, async () => {
      const repository = repositoryOf({ 'a.md': 'a' })
      try {
        repository.git('remote', 'add', 'origin', address)
        const state = join(repository.path, '.svc/state')
        mkdirSync(state, { recursive: true })
        const remote = gitRemote({
          repo: repository.path,
          state,
          remote: 'origin',
          branch: 'main',
          town: 'A',
          breathe: () => Promise.resolve(),
        })
        const told = [
          await checkoutState(repository.path, 'origin'),
          await remote.facts(),
          await remote.fetch(new AbortController().signal),
        ].map(one => JSON.stringify(one))
        ok(told[0]?.includes('[redacted]'))
        ok(told[2]?.includes('"Failed"'))
        for (const text of told) equal(secret.test(text), false, text)
      } finally {
        repository.dispose()
      }
    }).timeout(30_000)
})
