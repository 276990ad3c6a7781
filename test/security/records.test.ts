import { equal, ok } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { after, afterEach, before, describe, it } from 'mocha'
import { CommitId } from '#protocol/atoms.js'
import { openGitHistory } from '#src/adapters/history/git-history.js'
import { openRuntimeDb } from '#src/adapters/runtime/runtime-db.js'
import { nodeView, type TestFront, testFront } from '#test/support/front.js'
import { pastHead } from '#test/support/history.js'
import { jobsInMemory } from '#test/support/jobs.js'
import { makeKeptEvents } from '#test/support/kept-events.js'
import { leastSpentMs, ofThisProcess } from '#test/support/least-time.js'
import { type Repository, repositoryOf, temporaryFolder } from '#test/support/repository.js'
import { worldOf } from '#test/support/world.js'
import { isRefused } from './row.js'

type Line = readonly [input: string, target: string, status: number, error: string]

const at = (path: string, status: number, error: string, lines: Readonly<Record<string, string>>) =>
  Object.entries(lines).map(([input, text]): Line => [input, path.replace('*', text), status, error])

const sequences = {
  negative: '-1',
  'a fraction': '1.5',
  'an exponent': '1e3',
  hexadecimal: '0x10',
  'of Arabic digits': '%D9%A1',
  'of 400 digits': '9'.repeat(400),
  'with a blank': '%201',
  'with a NUL': '1%00',
  'of SQL': '1;DROP%20TABLE%20jobs',
  'that is no number': 'NaN',
  empty: '',
}

const strange = {
  'of SQL': "'%20OR%201=1%20--",
  'of the prototype': '__proto__',
  'of a constructor': 'constructor',
  'that leaves the folder': '..%2F..%2Fruntime.db',
  'of a file': 'audit.jsonl',
  'with a right-to-left mark': 'audit%E2%80%8F',
  'of 1,000 characters': 'a'.repeat(1000),
  'in capitals': 'AUDIT',
}

const lines: ReadonlyArray<Line> = [
  ...at('/events?since=*', 400, 'ParameterInvalid', sequences),
  ...at('/events/journal?since=*', 400, 'ParameterInvalid', sequences),
  ...at('/logs/audit?before=*', 400, 'ParameterInvalid', sequences),
  ...at('/logs/*', 404, 'StreamNotFound', strange),
  ...at('/jobs/*', 404, 'JobNotFound', { ...strange, 'a job of 4 KB': 'a'.repeat(4096) }),
  ...at('/jobs/*/result', 404, 'JobNotFound', strange),
  ...at('/*', 404, 'RouteNotFound', {
    'a stream with a NUL': 'logs/audit%00',
    'a job with a line feed': 'jobs/a%0Ab',
    'no job': 'jobs/',
  }),
  ...at('/audit/changes?*', 400, 'ParameterInvalid', {
    'a file above the repository': 'file=../../etc/passwd',
    'a file from the root': 'file=/etc/passwd',
    'a file with a NUL': 'file=a%00b',
    'a file of git': 'file=.git/config',
    'a day that is none': 'from=2026-02-30',
    'a day before all calendars': 'to=-271822-01-01',
    'a name of blanks': 'name=%20%20',
    'a parameter given twice': 'name=a&name=b',
    'a cursor of git’s words': 'cursor=HEAD~1.0.0.0',
    'a cursor with an option': 'cursor=--output%3D/tmp/x.0.0.0',
  }),
  ...at('/audit/notifications?*', 400, 'ParameterInvalid', {
    'a directive that is none': 'directive=__proto__',
    'a directive in small letters': 'directive=grupa',
    'a day that is none': 'to=2026-13-01',
    'a target of blanks': 'target=%09',
  }),
  ...at('/entities/Kupiec%20Bogdan/history?*', 400, 'ParameterInvalid', {
    'a type that is none': 'type=constructor',
    'a day that is none': 'from=jutro',
  }),
]

const harmless: ReadonlyArray<readonly [input: string, target: string]> = [
  ['a number far ahead of the journal', '/events/journal?since=999999999999999'],
  ['a limit beyond counting', `/events/journal?limit=${'9'.repeat(40)}`],
  ['a limit below nothing', '/logs/audit?limit=-5'],
  ['brackets in a parameter', '/logs/audit?before[]=1&before[a]=2&__proto__[x]=1'],
  ['a pattern of git as a file', '/audit/changes?file=:(glob)**'],
  ['all files as a pattern', '/audit/changes?file=*'],
  ['an option of git as a file', '/audit/changes?file=--output=x'],
  ['a name that a regex would choke on', `/audit/changes?name=${'a'.repeat(3000)}!`],
  ['a target that a regex would choke on', `/audit/notifications?target=${'(a+)+'.repeat(500)}$`],
  ['a name of the prototype', '/audit/changes?name=__proto__&field=constructor'],
]

const header = (name: string, value: string) => ({ headers: { [name]: value } })

describe('SECURITY records: events, logs, jobs, changes', () => {
  let front: TestFront
  let repository: Repository
  const free: Array<() => void> = []

  before(async () => {
    repository = repositoryOf({ 'encje/indeks.md': '### Kupiec Bogdan\n- @typ: NPC\n' })
    const folder = temporaryFolder()
    const runtime = openRuntimeDb(folder.path)
    if (isLeft(runtime)) throw new Error(runtime.left.reason)
    const history = openGitHistory({
      repo: repository.path,
      has: () => Promise.resolve(false),
      monotonicMs: () => performance.now(),
    })
    free.push(runtime.right.close, history.close, folder.dispose, repository.dispose)
    const head = CommitId.decode(repository.head())
    if (isLeft(head)) throw new Error('no commit')
    const events = makeKeptEvents()
    await events.add(3)
    front = await testFront({
      snapshot: { ...worldOf({ 'encje/indeks.md': '### Kupiec Bogdan\n- @typ: NPC\n' }), commit: head.right },
      node: nodeView({
        events: events.feed,
        jobs: { ...jobsInMemory(), find: runtime.right.jobs.find },
        history,
      }),
    })
  })
  afterEach(async () => {
    equal((await front.client.ask('/health', { token: null })).status, 200, 'the process does not answer')
  })
  after(async () => {
    await front.close()
    for (const one of free) one()
  })

  for (const [input, target, status, error] of lines)
    it(`${target.slice(0, 60)} | ${input} | ${status} ${error}`, async () => {
      isRefused(await front.client.ask(target), status, error)
    })

  for (const [input, target] of harmless)
    it(`${target.slice(0, 60)} | ${input} | 200`, async () => {
      const tookMs = await leastSpentMs({ barMs: 1_000, spent: ofThisProcess }, async () =>
        equal((await front.client.ask(target)).status, 200),
      )
      ok(tookMs < 1_000, `${tookMs} ms`)
    })

  for (const [input, value] of Object.entries({
    'that is no number': 'last',
    negative: '-1',
    'a fraction': '0.5',
    'of 400 digits': '9'.repeat(400),
    'two numbers': '1, 2',
    'of latin-1': '\u00b2',
    'an event and its kind': '3\tsnapshot',
  }))
    it(`/events | Last-Event-ID ${input} | 400 before a stream opens`, async () => {
      const reply = await front.client.ask('/events', header('Last-Event-ID', value))
      isRefused(reply, 400, 'RequestMalformed')
    })

  it('/events | Last-Event-ID sent twice | 400 before a stream opens', async () => {
    const reply = await front.client.ask('/events', { headers: { 'Last-Event-ID': ['1', '2'] } })
    isRefused(reply, 400, 'RequestMalformed')
  })

  it('/events | Last-Event-ID far ahead | told as a gap, and the stream goes on', async () => {
    const reply = await front.client.ask('/events', header('Last-Event-ID', '999999999999999'))
    equal(reply.status, 200)
    ok(reply.text.includes('event: gap') && reply.text.includes('"ahead"'))
  })

  it('/audit/changes | a head that is no commit of the served branch | 400', async () => {
    const tree = repository.git('rev-parse', 'HEAD^{tree}')
    for (const id of [tree, pastHead, '0'.repeat(40), 'f'.repeat(64)])
      isRefused(await front.client.ask(`/audit/changes?cursor=${id}.0.0.0`), 400, 'ParameterInvalid')
  })

  for (const target of [
    '/events',
    '/events/journal',
    '/logs/audit',
    '/jobs/a',
    '/audit/changes',
    '/audit/notifications',
  ])
    it(`${target} | nobody, and a token of nobody | 401`, async () => {
      isRefused(await front.client.ask(target, { token: null }), 401, 'Unauthorized')
      isRefused(await front.client.ask(target, { token: 'sess_nobody' }), 401, 'Unauthorized')
    })
})
