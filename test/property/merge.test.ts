import { deepEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { mergeSessions } from '#src/domain/sessions/merge.js'
import { parseSessionFile, type SessionFile } from '#src/domain/sessions/reading/session-file.js'
import { runsOf } from '#test/support/runs.js'
import { sourceFile } from '#test/support/world.js'

const header = fc
  .tuple(
    fc.constantFrom('2023-01-01', '2024-05-03', '2024-05-04'),
    fc.constantFrom('A', 'B', 'Ż'),
    fc.constantFrom('S', 'T', 'S + T'),
  )
  .map(parts => parts.join(', '))
const block = fc
  .tuple(header, fc.constantFrom('Raz.', 'Dwa.', 'Trzy.\n\n- PU:\n    - X: 0,3'))
  .map(([head, body]) => `### ${head}\n\n${body}\n`)
const text = fc.array(block, { maxLength: 4 }).map(blocks => blocks.join('\n'))
const paths = ['a.md', 'b.md', 'c.md', 'd.md'] as const

/** A step of history: one file gets another text, or goes. */
const step = fc.tuple(fc.constantFrom(...paths), fc.option(text, { nil: null }))

const filesOf = (
  texts: ReadonlyMap<string, string>,
  known: Map<string, SessionFile>,
): ReadonlyArray<SessionFile> =>
  [...texts.keys()].sort().map(path => {
    const source = sourceFile(path, texts.get(path) ?? '')
    const key = `${path} ${source.blob}`
    const file = known.get(key) ?? parseSessionFile(source)
    known.set(key, file)
    return file
  })

describe('a merge that goes on from the one before', () => {
  it('says what a merge of all files says, whatever the history', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), steps => {
        const texts = new Map<string, string>()
        const known = new Map<string, SessionFile>()
        let sessions = mergeSessions([])
        for (const [path, content] of steps) {
          if (content === null) texts.delete(path)
          else texts.set(path, content)
          const files = filesOf(texts, known)
          sessions = mergeSessions(files, sessions)
          const whole = mergeSessions(files)
          deepEqual(sessions.all, whole.all)
          deepEqual(sessions.findings, whole.findings)
          deepEqual(new Map([...sessions.byKey].sort()), new Map([...whole.byKey].sort()))
          deepEqual(new Map([...sessions.byNarrator].sort()), new Map([...whole.byNarrator].sort()))
        }
      }),
      { numRuns: runsOf(150) },
    )
  })
})
