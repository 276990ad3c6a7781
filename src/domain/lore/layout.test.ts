import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { isRead, roleOf } from './layout.js'

describe('a file below logi/', () => {
  it('is no lore: neither a session nor a draft, however it is named', () => {
    const paths = ['logi/a.md', 'logi/a.txt', 'logi/a.json', 'logi/2026/Sesje.md', 'logi/a-ent.md']
    deepEqual(new Set(paths.map(roleOf)), new Set(['transcript']))
    equal(
      paths.some(path => isRead(roleOf(path))),
      false,
    )
  })

  it('is not one whose name only begins so', () => {
    deepEqual(['logi.md', 'logika/a.md', 'sesje/logi/a.md'].map(roleOf), ['sessions', 'sessions', 'sessions'])
  })
})
