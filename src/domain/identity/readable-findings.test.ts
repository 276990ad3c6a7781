import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { AdoptionFinding } from '#protocol/host/admin.js'
import { sourceFile } from '#test/support/world.js'
import { readableFindings } from './readable.js'

const finding = (file: string, line: number | null): AdoptionFinding => ({
  kind: 'UnknownTag',
  severity: 'warning',
  file,
  line,
  subject: null,
  reason: '',
  suggestion: null,
})

const index = ['### Wit', '- @typ: Postać', '### Orrin', '- @typ: NPC', ''].join('\n')
const files = new Map(
  [sourceFile('encje/indeks.md', index), sourceFile('sesje/2026.md', 'a\n')].map(file => [file.path, file]),
)
const [wit, orrin, whole, session, gone] = [
  finding('encje/indeks.md', 2),
  finding('encje/indeks.md', 4),
  finding('encje/indeks.md', null),
  finding('sesje/2026.md', 1),
  finding('sesje/2025.md', 7),
]
const all = [wit, orrin, whole, session, gone]

const findingsFor = (...holds: ReadonlyArray<string>) =>
  readableFindings(all, files, { holds: new Set(holds) })

describe('the findings that a caller may read', () => {
  it('are none for a caller who may only write', () =>
    deepEqual(findingsFor('location.override', 'entity.write', 'session.write'), []))

  it('are those of files that the caller may read', () => {
    deepEqual(findingsFor('session.read'), [session, gone])
    deepEqual(findingsFor('entity.read'), [wit, orrin, whole])
  })

  it('are those of Postacie in an index for a caller who may read people alone', () =>
    deepEqual(findingsFor('player.read'), [wit]))

  it('are none about a line of restricted topics without the right to them', () => {
    const text = '### Wit\n- @typ: Postać\n- @tematy_zastrzezone: x\n    - y\n'
    const file = sourceFile('encje/indeks.md', text)
    const about = [2, 3, 4].map(line => finding(file.path, line))
    const seen = (...holds: ReadonlyArray<string>) =>
      readableFindings(about, new Map([[file.path, file]]), { holds: new Set(holds) }).map(({ line }) => line)
    deepEqual(seen('entity.read'), [2])
    deepEqual(seen('entity.read', 'player.restricted.read'), [2, 3, 4])
  })

  it('are all for a caller who may read every file', () => deepEqual(findingsFor('admin.all'), all))
})
