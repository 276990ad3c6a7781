import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { testFront } from '#test/support/front.js'
import { worldOf } from '#test/support/world.js'
import { isNameable } from './ref-target.js'

const stores = [
  'kontrybutorzy.md',
  'Gracze.md',
  'kopia/kontrybutorzy.md',
  'kopia/2024/Kontrybutorzy-2024.MD',
  'stare/gracze.md',
]

describe('what a row may name', () => {
  it('is no store of persons, wherever a copy of one lies', () => {
    deepEqual(stores.filter(isNameable), [])
    equal(['Opisy/Ola.md', 'Opisy/gracze i goście.md'].every(isNameable), true)
  })

  it('is served; a copy of the store is not', async () => {
    const copy = 'kopia/kontrybutorzy.md'
    const front = await testFront({
      snapshot: worldOf({
        '.svc/format.json': '{"format": 2}',
        'encje/indeks.md': `### Ola\n- @typ: NPC\n- @plik: ${copy}\n`,
        [copy]: '## Gracz\n### Brzoza\n- @gameid: 41001\n',
      }),
    })
    const reply = await front.client.ask('/entities/Ola/file')
    await front.close()
    equal(reply.status, 404)
  })
})
