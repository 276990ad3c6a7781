import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { IntegrityFinding } from '#protocol/finding.js'
import { sourceFile } from '#test/support/world.js'
import { readableFindings } from './readable-findings.js'

const finding = (File: string | null, Line: number | null): IntegrityFinding => ({
  Kind: 'UnknownTag',
  Severity: 'Warning',
  Subject: null,
  Detail: '',
  File,
  Line,
  Suggestion: null,
})

const index = ['### Wit', '- @typ: Postać', '### Orrin', '- @typ: NPC', ''].join('\n')
const files = new Map(
  [sourceFile('encje/indeks.md', index), sourceFile('sesje/2026.md', 'a\n')].map(file => [file.path, file]),
)
const [wit, orrin, whole, session, gone, general] = [
  finding('encje/indeks.md', 2),
  finding('encje/indeks.md', 4),
  finding('encje/indeks.md', null),
  finding('sesje/2026.md', 1),
  finding('sesje/2025.md', 7),
  finding(null, null),
]
const all = [wit, orrin, whole, session, gone, general]

const shown = (...holds: ReadonlyArray<string>) => readableFindings(all, files, { holds: new Set(holds) })

describe('the findings that a caller may read', () => {
  it('are none for a caller who may only write', () =>
    deepEqual(shown('location.override', 'entity.write', 'session.write'), []))

  it('are those of files that the caller may read', () => {
    deepEqual(shown('session.read'), [session, gone])
    deepEqual(shown('entity.read'), [wit, orrin, whole])
  })

  it('are those of Postacie in an index for a caller who may read people alone', () =>
    deepEqual(shown('player.read'), [wit]))

  it('are all for a caller who may read every file', () => deepEqual(shown('admin.all'), all))
})
