import { deepEqual, equal } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { sourceFile, worldOf } from '#test/support/world.js'
import { driftFindings, hashesPath, sessionHash } from './hashes.js'

const text = '# Rok\n\n### 2024-05-03, T, S\n\nProza.\n\n### 2024-06-01, U, S\n\nInna.\n'
const sha = (content: string): string => createHash('sha256').update(content, 'utf8').digest('hex')
const line = (header: string, sha256: string): string => JSON.stringify({ header, sha256, at: 'T', by: 'x' })

const kinds = (lines: ReadonlyArray<string>, file = text) => {
  const world = worldOf({ 'a.md': file, [hashesPath]: lines.join('\n') })
  return driftFindings(world.sessions, world.files).map(finding => [finding.kind, finding.file, finding.line])
}

describe('the hash of a session', () => {
  it('is of its lines from the header to the last one that is not blank, whatever the newline', () => {
    const wanted = sha('### 2024-05-03, T, S\n\nProza.\n')
    for (const file of [text, text.replaceAll('\n', '\r\n')])
      equal(sessionHash(sourceFile('a.md', file), { line: 3, endLine: 5 }), wanted)
  })
  it('tells drift, stale baselines and broken lines apart; the last line of a header counts', () => {
    const [good, bad] = [
      line('2024-05-03, T, S', sha('### 2024-05-03, T, S\n\nProza.\n')),
      line('2024-05-03, T, S', sha('x')),
    ]
    deepEqual(kinds([bad, good]), [])
    deepEqual(kinds([good, bad]), [['SessionDrift', 'a.md', 3]])
    deepEqual(kinds([good, line('2020-01-01, N, S', sha('x')), '{}']), [
      ['SessionHashLine', hashesPath, 3],
      ['StaleSessionHash', hashesPath, null],
    ])
  })
})
