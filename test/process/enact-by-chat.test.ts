import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'mocha'
import { failedAnswer } from '#src/domain/dispatch/settle-attempt.js'
import { bindingsPath } from '#src/domain/identity/bindings.js'
import { closeLedgerPath } from '#src/domain/sessions/effects/closed-sessions.js'
import { runCommand } from '#test/support/daemon.js'
import { rowOfBinding } from '#test/support/identity/linked-world.js'
import { type Fields, isFields } from '#test/support/matching.js'
import { cloneOf, commitIn, gitIn, temporaryFolder, writeFiles } from '#test/support/repository.js'
import { runInProcess } from '#test/support/run-in-process.js'

const header = '2026-06-01, Most, Brzoza'
const files = {
  '.svc/format.json': '{"format": 2}\n',
  '.svc/config.json': '{"server": {"publish_mode": "push"}}\n',
  'kontrybutorzy.md':
    '## Gracz\n### Brzoza\n- @gameid: 1\n- @rola: Narrator\n### Żaneta\n- @gameid: 2\n## Role\n### Narrator\n',
  'encje/indeks.md': '### Most\n- @typ: Lokacja\n',
  'sesje/2026.md': `### ${header}\n\nOpis.\n\n- @Lokacje:\n    - Most\n`,
  [bindingsPath]: JSON.stringify({ bindings: [rowOfBinding('111', '1'), rowOfBinding('222', '2')] }),
}

describe('kronika enact close and report', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let bare: string
  let clones: ReadonlyArray<string>
  before(() => {
    folder = temporaryFolder()
    bare = join(folder.path, 'bare.git')
    clones = ['one', 'two'].map(name => join(folder.path, name))
    const [first = '', second = ''] = clones
    gitIn(folder.path, 'init', '-q', '--bare', '-b', 'main', bare)
    cloneOf(bare, first)
    writeFiles(first, files)
    commitIn(first, 'test')
    gitIn(first, 'push', '-q', 'origin', 'HEAD:main')
    cloneOf(bare, second)
  })
  after(() => folder.dispose())

  /** Runs the command in this process, with further variables. */
  const enact = async (
    kind: 'close' | 'report',
    env: Readonly<Record<string, string>>,
    at = 0,
    ...options: ReadonlyArray<string>
  ) => {
    Object.assign(process.env, env)
    try {
      return await runInProcess('enact', kind, '--repo', clones[at] ?? '', ...options)
    } finally {
      for (const name of Object.keys(env)) Reflect.deleteProperty(process.env, name)
    }
  }
  const fieldsOf = (text: string): Fields => {
    const json: unknown = JSON.parse(text)
    ok(isFields(json), text)
    return json
  }
  const closings = (): number =>
    gitIn(bare, 'ls-tree', '-r', '--name-only', 'main').includes(closeLedgerPath)
      ? gitIn(bare, 'show', `main:${closeLedgerPath}`).split('\n').length
      : 0

  it('close nothing in a dry run, and by the rights of the linked person alone', async () => {
    const dry = await enact('close', { SVC_CLOSE_CHAT_ID: '111' }, 0, '--dry-run')
    deepEqual([dry.code, dry.stdout.includes(header)], [0, true], dry.stderr)
    const others = await enact('close', { SVC_CLOSE_CHAT_ID: '222', SVC_CLOSE_HEADER: header })
    equal(others.code, 65)
    equal(closings(), 0)
  })

  it('print the sentence for the player on stdout where they are refused, and the technical line on stderr', async () => {
    const others = await enact('close', { SVC_CLOSE_CHAT_ID: '222', SVC_CLOSE_HEADER: header })
    const sentence = 'Twoje role nie dają do tego prawa. Poproś o nadanie prawa `session.close`.'
    deepEqual([others.code, others.stdout], [65, `${sentence}\n`], others.stderr)
    match(others.stderr, /^Forbidden: Twoje role/mu)
    const unlinked = await enact('close', { SVC_CLOSE_CHAT_ID: '999' }, 0, '--json')
    const { error, detail, announcement } = fieldsOf(unlinked.stdout)
    deepEqual([unlinked.code, error, announcement], [65, 'not_linked', detail], unlinked.stderr)
    match(unlinked.stderr, /^not_linked: To konto czatu/mu)
    const broken = { SVC_REPORTER_CHAT_ID: '111', SVC_REPORT_B64: Buffer.from('Tekst.').toString('base64') }
    const report = await enact('report', broken)
    deepEqual([report.code, /^(?:Wiersz|Zacznij|Zgłoszenie)/u.test(report.stdout)], [65, true], report.stdout)
  })

  it('print a Polish sentence also where the remote is away', async () => {
    renameSync(bare, `${bare}.away`)
    const close = { SVC_CLOSE_CHAT_ID: '111' }
    const away = await enact('close', close)
    deepEqual([away.code, away.stdout], [76, `${failedAnswer}\n`], away.stderr)
    match(away.stderr, /^NotPublished: The remote was not reached/mu)
    const { error, announcement } = fieldsOf((await enact('close', close, 0, '--json')).stdout)
    deepEqual([error, announcement], ['NotPublished', failedAnswer])
    renameSync(`${bare}.away`, bare)
  })

  it('name the variables that are missing or unusable, with 64', async () => {
    const none = await enact('close', { SVC_CLOSE_CHAT_ID: '' })
    deepEqual([none.code, /SVC_CLOSE_CHAT_ID/u.test(none.stderr)], [64, true])
    const half = await enact('report', { SVC_REPORTER_CHAT_ID: '111' })
    const odd = await enact('close', { SVC_CLOSE_CHAT_ID: '111', SVC_INTERACTION_ID: '1e3' })
    deepEqual([odd.code, /SVC_INTERACTION_ID/u.test(odd.stderr)], [64, true])
    deepEqual([half.code, /SVC_REPORT_B64 \(not blank\)/u.test(half.stderr)], [64, true])
  })

  it('close a session once where two pipelines do it at once, and tell the other', async () => {
    const ended = await Promise.all(
      clones.map(clone => runCommand(['enact', 'close', '--repo', clone], { SVC_CLOSE_CHAT_ID: '111' })),
    )
    deepEqual(ended.map(({ code }) => code).toSorted(), [0, 65], ended.map(one => one.stderr).join(''))
    ok(ended.some(({ stderr }) => /^(?:SessionClosed|SessionNotChosen): /mu.test(stderr)))
    equal(closings(), 1)
    match(
      gitIn(bare, 'log', '-1', '--format=%B', 'main'),
      /^Svc-Route: POST \/workflows\/close-session-by-chat$/mu,
    )
  })

  it('file a report as a draft, once', async () => {
    const text = '### 2026-06-02, Brama, Brzoza\n\nByło głośno.\n'
    const id = { SVC_INTERACTION_ID: '900100200300400501' }
    const env = { ...id, SVC_REPORTER_CHAT_ID: '111', SVC_REPORT_B64: Buffer.from(text).toString('base64') }
    const { code, stderr } = await enact('report', env)
    equal(code, 0, stderr)
    const drafts = () =>
      gitIn(bare, '-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', 'main', 'zgłoszenia/')
    const filed = drafts()
    ok(filed !== '')
    match(gitIn(bare, 'log', '-1', '--format=%B', 'main'), /^Svc-Interaction: 900100200300400501$/mu)
    equal((await enact('report', env, 1)).code, 0)
    equal(drafts(), filed)
  })
})
