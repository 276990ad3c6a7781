import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { isTest, type Source, sources } from './sources.js'

/** Where a caller's grade may be looked at: where it is decided, carried, or part of a key. */
const graded: ReadonlySet<string> = new Set([
  'src/domain/identity/readable.ts',
  'src/domain/identity/grade.ts',
  'src/domain/identity/callers.ts',
  'src/domain/identity/credentials/tokens.ts',
  'src/domain/callers/caller.ts',
  'src/http/credentials/admission.ts',
  'src/http/routing/call.ts',
  'src/http/routing/dispatch.ts',
  'src/http/routing/ask-readers.ts',
  'src/http/answers/answer-bytes.ts',
])

const asksGrade = /\bgrade\s*(?:===|!==|==|!=)|(?:===|!==)\s*'own'|[?.]\.?grade\b/

/** Files of the product that decide by a grade outside the one place (SECURITY 4.4). */
const decides = ({ path, text }: Source): boolean =>
  !isTest(path) &&
  !graded.has(path) &&
  /^(?:src\/(?:http|writing|domain\/(?:identity|people|points|chat|entities))|actors|supervisors)\//.test(
    path,
  ) &&
  text.split('\n').some(line => !/^\s*(?:\*|\/\*|\/\/)/.test(line) && asksGrade.test(line))

describe('own scope', () => {
  it('is decided in one place: a handler asks src/domain/identity/readable.ts', () => {
    deepEqual(
      sources.filter(decides).map(({ path }) => path),
      [],
    )
  })

  it('would be seen to be decided elsewhere', () => {
    for (const line of [
      "if (caller.grade === 'own') return left(notTheirs)",
      'const full = input.caller.grade',
      "const isOwn = 'full' !== 'own'",
      "const { grade } = caller; grade !== 'full'",
    ])
      deepEqual(decides({ path: 'src/http/handlers/somebody.ts', text: line }), true, line)
  })

  it('names only files that there are', () => {
    const known = new Set(sources.map(({ path }) => path))
    deepEqual(
      [...graded].filter(path => !known.has(path)),
      [],
    )
  })
})
