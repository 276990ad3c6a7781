import { deepEqual, equal, throws } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { exitRows } from '#protocol/exit-code.js'
import { TakeoverFailure } from '#protocol/fleet/takeover.js'
import { takeoverRoutes } from '#protocol/fleet/takeover-routes.js'
import { ineligibilities } from '#src/domain/fleet/candidates.js'
import { findBrokenLinks } from '#test/tidy/links.js'
import { documents } from '#test/tidy/sources.js'
import { isShown } from './output.js'
import { pageStepsOf } from './page.js'

const isForPeople = (path: string): boolean =>
  path === 'README.md' || path.startsWith('docs/guide/') || path.startsWith('docs/howto/')

describe('the pages for people', () => {
  it('lead to pages and anchors that are there', () => {
    deepEqual(documents.filter(({ path }) => isForPeople(path)).flatMap(findBrokenLinks), [])
  })

  it('tell the operator every exit code', () => {
    const text = documents.find(({ path }) => path === 'docs/guide/operator.md')?.text ?? ''
    const told = [...text.matchAll(/^\| (\d+) \| /gm)].map(found => Number(found[1]))
    deepEqual(
      told,
      exitRows.map(({ code }) => code),
    )
  })
})

describe('the page of a dead apex', () => {
  const page = documents.find(({ path }) => path === 'docs/howto/fleet/when-the-apex-is-dead.md')?.text ?? ''
  const rows = [...page.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code ?? ''),
  )
  const lacks = (codes: ReadonlyArray<string>): ReadonlyArray<string> =>
    codes.filter(code => !rows.includes(code))

  it('says what to do about every refusal of a takeover', () => {
    deepEqual(lacks(takeoverRoutes['fleet.takeover.run'].refusals), [])
  })

  it('says what to do about every reason why a town cannot become the apex', () => {
    deepEqual(lacks(ineligibilities), [])
  })

  it('says what to do about every failure of a takeover', () => {
    deepEqual(lacks(Object.keys(TakeoverFailure.keys)), [])
  })
})

describe('the blocks of a page', () => {
  it('are run, written to a file, or compared; others are left alone', () => {
    const page = [
      '```sh',
      'not run',
      '```',
      '```js file=a.mjs',
      'one()',
      '```',
      '<!-- run',
      'mkdir a',
      '-->',
      '```sh run exit=65 needs=python3',
      'false',
      'true',
      '```',
      '```text output',
      'no',
      '```',
      '```sh serve',
      'kronika serve',
      '```',
      '```sh run lines=4',
      'curl',
      '```',
    ]
    const run = { kind: 'run', exits: [], needs: null, until: { kind: 'end' }, output: null }
    deepEqual(pageStepsOf(page.join('\n')), [
      { kind: 'file', line: 5, name: 'a.mjs', text: 'one()' },
      { ...run, line: 8, code: 'mkdir a' },
      { ...run, line: 11, code: 'false\ntrue', exits: [65], needs: 'python3', output: 'no' },
      { ...run, line: 18, code: 'kronika serve', until: { kind: 'ready' } },
      { ...run, line: 21, code: 'curl', until: { kind: 'lines', count: 4 } },
    ])
  })

  it('have an end, and an output that something printed', () => {
    throws(() => pageStepsOf('```sh run\ntrue'), /line 2 has no end/)
    throws(() => pageStepsOf('```text output\nx\n```'), /follows no block/)
  })
})

describe('what a page shows', () => {
  it('is the output without what changes from run to run, and without blanks', () => {
    const shown = '{"at":"2026-11-23T05:00:10.969Z",\n "url":"http://127.0.0.1:4170/"}'
    equal(isShown(shown, '{"at":"2027-01-01T00:00:00.000Z","url":"http://127.0.0.1:1/"}'), true)
    equal(isShown(shown, '{"at":"2027-01-01T00:00:00.000Z","url":"http://127.0.0.2:1/"}'), false)
  })

  it('leaves out any text at an ellipsis, and only there', () => {
    equal(isShown('a … c', 'a b c'), true)
    equal(isShown('a … c …', 'a b c d'), true)
    equal(isShown('a … c', 'a b c d'), false)
    equal(isShown('ab … ba', 'aba'), false)
  })
})
